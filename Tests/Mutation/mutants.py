# SPDX-License-Identifier: MIT
"""Finds what can be changed in a Swift source, and writes all changes into it at once, each behind a number.

A mutant is chosen when the program runs, so that one library has them all. What stands for a mutated operator is an
operator of its own, whose name ends in the number:

    count < limit        count <┄┅ limit          `<=` where that mutant is chosen
    if isOver {          if mutated(17, isOver) { the opposite
    unlock()             if !platform_is_mutant(18) { unlock() }

A mutant is named by its function, not by its line: `Core.release(): 1st if is negated`.
"""

import collections
import dataclasses
import re

import places

# How a program asks whether a mutant is chosen.
IN_LIBRARY = "platform_is_mutant({})"
CHOSEN = IN_LIBRARY
# What becomes of an operator, its precedence, and how a function of it looks.
OPERATORS = {
    "<": ("<=", "Comparison", "<T: Comparable>(a: T, b: T) -> Bool"),
    "<=": ("<", "Comparison", "<T: Comparable>(a: T, b: T) -> Bool"),
    ">": (">=", "Comparison", "<T: Comparable>(a: T, b: T) -> Bool"),
    ">=": (">", "Comparison", "<T: Comparable>(a: T, b: T) -> Bool"),
    "==": ("!=", "Comparison", "<T: Equatable>(a: T, b: T) -> Bool"),
    "!=": ("==", "Comparison", "<T: Equatable>(a: T, b: T) -> Bool"),
    "&&": ("||", "LogicalConjunction", "(a: Bool, b: @autoclosure () -> Bool) -> Bool"),
    "||": ("&&", "LogicalDisjunction", "(a: Bool, b: @autoclosure () -> Bool) -> Bool"),
    "+": ("-", "Addition", "<T: AdditiveArithmetic>(a: T, b: T) -> T"),
    "-": ("+", "Addition", "<T: AdditiveArithmetic>(a: T, b: T) -> T"),
    "|": ("&", "Addition", "<T: FixedWidthInteger>(a: T, b: T) -> T"),
    "&": ("|", "Multiplication", "<T: FixedWidthInteger>(a: T, b: T) -> T"),
    "+=": ("-=", "Assignment", "<T: AdditiveArithmetic>(a: inout T, b: T)"),
    "-=": ("+=", "Assignment", "<T: AdditiveArithmetic>(a: inout T, b: T)"),
}
_OPERATOR = re.compile(
    r"(?<= )(" + "|".join(re.escape(one) for one in sorted(OPERATORS, key=len, reverse=True)) + r")(?= (?!nil))"
)
_CONDITION = re.compile(r"^(\s*(?:\} else )?(?:if|while|guard)) (.*?)( else \{.*| \{.*)$")
_STATEMENT = re.compile(r"^(\s+)((?:_ = )?(?:[a-z]\w*[?!]?\.)*[a-z]\w*\([^{}]*\))$")
_ASSIGNMENT = re.compile(r"^(\s+\S+ = )(true|false)$")
# What a statement may follow that stands alone.
_ENDED = re.compile(r"(^|[{}:]|^\s*//.*|\)|\w|\bin)$")
_CONTINUED = re.compile(r"(\breturn|\|\||&&|[=+(,?:|&])$|^\s*(?:return\b.*,|guard\b(?!.*\{)|if\b(?!.*\{))")
_BIT = re.compile(r"\bCoreState\.\w+")
_LET = re.compile(r"^(\s*let (\w+) = )([^{]+)$")
_RETURN = re.compile(r"^(\s*return )([^{]+)$")


@dataclasses.dataclass
class Mutant:
    file: str
    line: int
    function: str
    place: str  # such as "2nd guard"
    change: str
    begin: int
    end: int
    kind: str
    text: str  # what the line says
    number: int = 0

    @property
    def name(self) -> str:
        """The same as long as the function is."""
        return f"{self.function}: {self.place} {self.change}"


def find(file: str, source: str) -> list[Mutant]:
    """What is tried of each source."""
    return [one for one in find_all(file, source) if one.kind not in ("forced", "bit")]


def find_all(file: str, source: str) -> list[Mutant]:
    """The same, and what is too much to be tried everywhere, but can be listed by its name."""
    found, before = [], ""
    seen: collections.Counter[tuple[str, str]] = collections.Counter()
    lines, functions = source.split("\n"), places.functions_of(source)
    for index, line in enumerate(lines):
        code = places.without_texts(line).rstrip()
        there: set[tuple[str, str]] = set()
        after = lines[index + 1] if index + 1 < len(lines) else ""
        for place, change, begin, end, kind in _in_line(code, before, after):
            # Several changes of one place, or clauses of one condition, count once; operators each.
            what, _, clause = place.partition(",")
            key = (functions[index], what)
            if kind in ("operator", "bit") or key not in there:
                seen[key] += 1
                there.add(key)
            name = f"{places.ordinal(seen[key])} {what}" + (f",{clause}," if clause else "")
            found.append(Mutant(file, index, functions[index], name, change, begin, end, kind, line.strip()))
        before = code or before
    return found


def _in_line(code: str, before: str, after: str):
    """Place, change, begin, end and kind of each change of a line."""
    for match in _OPERATOR.finditer(code):
        if re.match(r"\s*(infix|public func|func|extension|@|import|case \.)", code):
            break
        yield f"`{match[1]}`", f"is `{OPERATORS[match[1]][0]}`", match.start(), match.end(), "operator"
    if match := _CONDITION.match(code):
        at = match.end(1) + 1
        clauses = _clauses(match[2])
        for number, clause in enumerate(clauses, 1):
            begin, end = at + (len(clause) - len(clause.lstrip())), at + len(clause)
            if not re.match(r"\s*((let|var|case|true)\b|#)", clause):
                place = match[1].split()[-1] + (f", clause {number}" if len(clauses) > 1 else "")
                yield place, "is negated", begin, end, "condition"
                yield place, "holds", begin, end, "forced"
                yield place, "fails", begin, end, "forced"
            at += len(clause) + 1
    for pattern, what in ((_LET, "value of {}"), (_RETURN, "value that is returned")):
        if (match := pattern.match(code)) and not _CONTINUED.search(code):
            for change in ("holds", "fails"):
                yield what.format(match[2]), change, match.end(1), len(code), "forced"
    for match in _BIT.finditer(code):
        yield match.group(), "is left out", match.start(), match.end(), "bit"
    if match := _ASSIGNMENT.match(code):
        yield f"`{match[2]}`", "is the opposite", match.start(2), match.end(2), "constant"
    if (
        (match := _STATEMENT.match(code))
        and not match[2].startswith("fail(")
        and _ENDED.search(before)
        and not _CONTINUED.search(before)
    ):
        if not re.match(r"\s*(?:[.?:)]|&&|\|\||else)", after):
            yield f"call of {_called(match[2])}", "is left out", match.start(2), match.end(2), "statement"


def _called(statement: str) -> str:
    return statement.removeprefix("_ = ").partition("(")[0].rpartition(".")[2]


def _clauses(condition: str) -> list[str]:
    """What stands between the commas that no bracket encloses."""
    parts, depth, begin = [], 0, 0
    for index, letter in enumerate(condition):
        depth += letter in "([{"
        depth -= letter in ")]}"
        if letter == "," and depth == 0:
            parts.append(condition[begin:index])
            begin = index + 1
    return [*parts, condition[begin:]]


def _letters(number: int) -> str:
    """A number in letters that an operator may have."""
    return chr(0x2500 + number // 100) + chr(0x2500 + number % 100)


def apply(source: str, mutants: list[Mutant]) -> str:
    lines = source.split("\n")
    # From the right to the left, what is inside of something else first.
    for mutant in sorted(mutants, key=lambda one: (one.line, -one.begin, one.end)):
        line = lines[mutant.line]
        inside = [one for one in mutants if one is not mutant and one.line == mutant.line and one.begin >= mutant.begin]
        grown = sum(
            _growth(one) for one in inside if one.end <= mutant.end and one is not mutant and _before(one, mutant)
        )
        end = mutant.end + grown
        lines[mutant.line] = line[: mutant.begin] + _changed(mutant, line[mutant.begin : end]) + line[end:]
    return "\n".join(lines)


def _before(one: Mutant, other: Mutant) -> bool:
    return (-one.begin, one.end) < (-other.begin, other.end)


def _growth(mutant: Mutant) -> int:
    return len(_changed(mutant, ""))


def _changed(mutant: Mutant, text: str) -> str:
    chosen = CHOSEN.format(mutant.number)
    if mutant.kind == "operator":
        return text + _letters(mutant.number)
    if mutant.kind == "statement":
        return f"if !({chosen}) {{ {text} }}"
    if mutant.kind == "bit":
        return f"(({chosen}) ? 0 : {text})"
    if mutant.kind == "forced":
        return f"(({chosen}) || ({text}))" if mutant.change == "holds" else f"(!({chosen}) && ({text}))"
    return f"(({chosen}) != ({text}))" if CHOSEN != IN_LIBRARY else f"mutated({mutant.number}, {text})"


def support(mutants: list[Mutant]) -> str:
    """The Swift source that all others need."""
    text = [
        "import CPlatform",
        "@inlinable @inline(__always) public func mutated(_ number: Int32, _ value: Bool) -> Bool "
        "{ value != platform_is_mutant(number) }",
    ]
    for mutant in mutants:
        if mutant.kind != "operator":
            continue
        operator = mutant.place.split("`")[1]
        other, precedence, signature = OPERATORS[operator]
        name = operator + _letters(mutant.number)
        right = "b()" if "autoclosure" in signature else "b"
        returns = "return " if "inout" not in signature else ""
        text.append(f"infix operator {name}: {precedence}Precedence")
        text.append(
            f"@inlinable @inline(__always) public func {name} {signature} {{ if platform_is_mutant({mutant.number}) "
            f"{{ {returns}a {other} {right} }} else {{ {returns}a {operator} {right} }} }}"
        )
    return "\n".join(text) + "\n"
