# SPDX-License-Identifier: MIT
"""Says in which function each line of a source is, so that a place has a name that lasts when lines around it change:

    Core.release(): 1st guard

A function bears the name of its type and the labels of its parameters, as Swift writes it. What stands in a function or
a closure inside of it belongs to the outer one.
"""

import re

_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|//.*|/\*.*?\*/')
_TYPE = re.compile(r"\b(?:extension|class|struct|enum|protocol|actor)\s+([A-Z]\w*(?:\.\w+)*)")
_FUNCTION = re.compile(r"\b(?:func\s+(\w+)|(init|subscript)|(deinit))\s*[?!]?\s*(?:<[^>]*>\s*)?(\(|\{)")
_PROPERTY = re.compile(r"\b(?:var|let)\s+(\w+)\b[^={]*(?:=\s*)?\{")
_IN_C = re.compile(r"^(?:static |inline |_Noreturn |bool |void |[\w*]+ )+\*?(\w+)\(.*\{$")


def without_texts(line: str) -> str:
    """A line, with spaces for what is text or comment."""
    return _TEXT.sub(lambda match: " " * len(match.group()), line)


def functions_of(source: str, in_c: bool = False) -> list[str]:
    """The name of the function that each line is in, or of its type, or nothing."""
    return _in_c(source) if in_c else _in_swift(source)


def ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number % 100 not in (11, 12, 13) else "th"
    return f"{number}{ending}"


def _in_c(source: str) -> list[str]:
    names, present, depth = [], "", 0
    for line in source.split("\n"):
        code = without_texts(line)
        if depth == 0:
            match = _IN_C.match(code.rstrip())
            present = match[1] if match else ""
        names.append(present)
        depth += code.count("{") - code.count("}")
        if depth == 0:
            present = ""
    return names


def _in_swift(source: str) -> list[str]:
    lines = [without_texts(line) for line in source.split("\n")]
    names: list[str] = []
    scopes: list[tuple[int, str, str]] = []  # the depth outside of it, "type" or "function", its name
    depth, waiting = 0, None  # what begins with the next brace
    for index, code in enumerate(lines):
        inside = any(kind == "function" for _, kind, _ in scopes)
        if not inside and waiting is None:
            waiting = _begins(lines, index)
        names.append(_name(scopes, waiting))
        for letter in code:
            if letter == "{":
                if waiting is not None:
                    scopes.append((depth, *waiting))
                    waiting = None
                depth += 1
            elif letter == "}":
                depth -= 1
                while scopes and scopes[-1][0] >= depth:
                    scopes.pop()
    return names


def _begins(lines: list[str], index: int) -> tuple[str, str] | None:
    """What a line begins whose brace may come later."""
    code = lines[index]
    if match := _TYPE.search(code):
        return "type", match[1].split(".")[-1]
    if match := _FUNCTION.search(code):
        if match[3]:
            return "function", "deinit"
        return "function", f"{match[1] or match[2]}({_labels(lines, index, match.end(4) if match[4] == '(' else -1)})"
    if match := _PROPERTY.search(code):
        return "function", match[1]
    return None


def _labels(lines: list[str], index: int, begin: int) -> str:
    """The labels of the parameters whose list begins there."""
    if begin < 0:
        return ""
    text = lines[index][begin:] + " " + " ".join(lines[index + 1 : index + 12])
    depth, parts, part = 1, [], ""
    for letter in text:
        depth += letter in "([{<"
        depth -= letter in ")]}" or (letter == ">" and not part.endswith("-"))
        if depth == 0:
            break
        if letter == "," and depth == 1:
            parts.append(part)
            part = ""
        else:
            part += letter
    parts.append(part)
    return "".join(f"{part.split()[0].rstrip(':')}:" for part in parts if part.strip())


def _name(scopes: list[tuple[int, str, str]], waiting: tuple[str, str] | None) -> str:
    parts = [name for _, _, name in scopes]
    if waiting and not any(kind == "function" for _, kind, _ in scopes):
        parts.append(waiting[1])
    return ".".join(parts[-2:]) if len(parts) > 2 else ".".join(parts)
