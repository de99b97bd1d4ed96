# SPDX-License-Identifier: MIT
"""What tests of programs can say about messages, as functions and as pytest's fixtures."""

import asyncio
import re
import subprocess
import sys
import threading

import pytest

from support import PACKAGE, Thread, collect, compile_library, run_python
from swiftobserver import Messenger, Update, Var
from swiftobserver.testing import assert_not_sent, assert_sent

# No machine needs it: what has to come is waited for.
LONG = 1800

pytest_plugins = ("pytester",)


def fails(text):
    """Expects a failure with exactly this text after the observable's."""
    return pytest.raises(AssertionError, match=rf"^Messenger 'names' made at \S+:\d+ {re.escape(text)}$")


def make_names():
    messenger = Messenger()
    messenger.name = "names"
    return messenger


def test_the_expected_messages_in_their_order_pass():
    names = make_names()
    with assert_sent(names, "a", "b") as sent:
        names.send("a")
        assert sent.messages == ("a",)
        names.send("b")
    assert sent.messages == ("a", "b")


def test_without_messages_any_will_do():
    names = make_names()
    with assert_sent(names):
        names.send(None)
    with fails("sent nothing"), assert_sent(names):
        pass


@pytest.mark.parametrize(
    "expected, sent, failure",
    [
        (
            "ab",
            "ac",
            "sent another message 2 than expected, 'c' instead of 'b',\n  expected: 'a', 'b'\n  sent: 'a', 'c'",
        ),
        (
            "ab",
            "ba",
            "sent another message 1 than expected, 'b' instead of 'a',\n  expected: 'a', 'b'\n  sent: 'b', 'a'",
        ),
        ("ab", "", "sent 2 messages too few\n  expected: 'a', 'b'\n  sent: nothing"),
        ("a", "aa", "sent 1 messages too many\n  expected: 'a'\n  sent: 'a', 'a'"),
    ],
)
def test_other_messages_another_order_too_few_and_too_many_fail(expected, sent, failure):
    names = make_names()
    with fails(failure.format(", ".join(map(repr, sent)))), assert_sent(names, *expected):
        for name in sent:
            names.send(name)


def test_what_is_sent_before_and_after_does_not_count():
    names = make_names()
    names.send("before")
    with assert_sent(names, "within") as sent:
        names.send("within")
    names.send("after")
    assert sent.messages == ("within",)
    assert names.count == 0


def test_matchers_stand_for_messages():
    numbers = Messenger()
    with assert_sent(numbers, pytest.approx(0.3)):
        numbers.send(0.1 + 0.2)


def test_variables_send_updates():
    variable = Var(1)
    with assert_sent(variable, Update(1, 2)), assert_sent(variable.new(), 2):
        variable.value = 2


def test_a_transform_lives_as_long_as_the_block():
    names = make_names()
    expectation = assert_sent(names.map(str.upper), "A")
    collect()
    with expectation:
        names.send("a")


def test_nothing_sent_passes():
    names = make_names()
    with assert_not_sent(names) as sent:
        pass
    assert sent.messages == ()


def test_something_sent_fails_where_nothing_was_expected():
    names = make_names()
    with fails("sent what it should not\n  sent: 'a'"), assert_not_sent(names):
        names.send("a")


@pytest.mark.parametrize("expect", [assert_sent, assert_not_sent])
def test_what_the_block_raises_comes_first(expect):
    names = make_names()
    with pytest.raises(KeyError, match="mine"), expect(names, timeout=LONG):
        if expect is assert_not_sent:
            names.send("a")
        raise KeyError("mine")
    assert names.count == 0


def test_the_end_of_the_block_waits_for_another_thread():
    names = make_names()
    entered = threading.Event()
    leaving = threading.Event()

    def send():
        entered.wait()
        names.send("a")
        leaving.wait()
        names.send("b")

    thread = Thread(send)
    with assert_sent(names, "a", "b", timeout=LONG):
        entered.set()
        leaving.set()
    thread.join()


def test_waiting_ends_at_the_timeout():
    names = make_names()
    failure = "sent 1 messages too few within the block and 0.01 seconds after it\n  expected: 'a', 'b'\n  sent: 'a'"
    with fails(failure), assert_sent(names, "a", "b", timeout=0.01):
        names.send("a")
    with fails("sent nothing within the block and 0.01 seconds after it"), assert_sent(names, timeout=0.01):
        pass
    with assert_not_sent(names, timeout=0.01):
        pass


def test_what_comes_late_fails_where_nothing_was_expected():
    names = make_names()
    entered = threading.Event()

    def send():
        entered.wait()
        names.send("late")

    thread = Thread(send)
    with fails("sent what it should not\n  sent: 'late'"), assert_not_sent(names, timeout=LONG):
        entered.set()
    thread.join()


def test_an_asynchronous_block_waits_for_tasks_and_threads():
    names = make_names()

    async def main():
        async with assert_sent(names, "task", "thread", timeout=LONG) as sent:
            asyncio.get_running_loop().call_soon(names.send, "task")
            asyncio.get_running_loop().call_soon(lambda: threads.append(Thread(lambda: names.send("thread"))))
            assert sent.messages == ()

    threads = []
    asyncio.run(main())
    threads[0].join()


def test_an_asynchronous_block_fails_as_the_other_does():
    names = make_names()

    async def too_few():
        async with assert_sent(names, "a", timeout=0.01):
            pass

    async def too_many():
        async with assert_not_sent(names, timeout=LONG):
            asyncio.get_running_loop().call_soon(names.send, "a")

    async def raising():
        async with assert_sent(names, "a", timeout=LONG):
            raise KeyError("mine")

    async def cancelled():
        async with assert_sent(names, "a", timeout=LONG):
            asyncio.get_running_loop().call_soon(asyncio.current_task().cancel)

    with fails("sent 1 messages too few within the block and 0.01 seconds after it\n  expected: 'a'\n  sent: nothing"):
        asyncio.run(too_few())
    with fails("sent what it should not\n  sent: 'a'"):
        asyncio.run(too_many())
    with pytest.raises(KeyError, match="mine"):
        asyncio.run(raising())
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())
    assert names.count == 0


def test_an_interrupt_while_the_end_of_the_block_waits_ends_the_observation():
    def press(*_):
        raise KeyboardInterrupt

    names = make_names()
    sent = assert_sent(names, timeout=LONG)
    sent._condition.wait_for = press
    with pytest.raises(KeyboardInterrupt), sent:
        pass
    assert names.count == 0


def test_wrong_arguments_are_named():
    names = make_names()
    for expect in (assert_sent, assert_not_sent):
        with pytest.raises(TypeError, match="observable must be an Observable, not list"):
            expect([])
        for timeout in (-1, "1", float("nan"), True):
            with pytest.raises(ValueError, match="timeout must be seconds, 0 or more, or None, not"):
                expect(names, timeout=timeout)


def test_forgetting_the_with_is_told():
    names = make_names()
    with pytest.warns(UserWarning, match="check nothing outside a with statement"):
        assert_sent(names, "a")
        collect()


def test_the_functions_need_no_pytest():
    code = """
    import sys
    from swiftobserver.testing import assert_sent
    print([name for name in sys.modules if "pytest" in name])
    """
    assert run_python(code, check=True).stdout == "[]\n"


TEST_FILE = """
    from swiftobserver import Messenger, Var

    def test_passing(assert_sent, assert_not_sent):
        volume = Var(1)
        with assert_sent(volume.new(), 2), assert_not_sent(Messenger(), timeout=0):
            volume.value = 2

    def test_failing(assert_sent):
        names = Messenger()
        with assert_sent(names, "a"):
            names.send("b")

    def test_failing_to_be_silent(assert_not_sent):
        names = Messenger()
        with assert_not_sent(names):
            names.send("b")
"""


def run_pytest(pytester, *arguments):
    return pytester.run(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments)


@pytest.fixture
def found_by_pytest(pytester, monkeypatch):
    """Makes the package one that an interpreter finds, with the entry point that the project file declares."""
    metadata = pytester.path / "swiftobserver-0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Name: swiftobserver\nVersion: 0\n")
    (metadata / "entry_points.txt").write_text("[pytest11]\nswiftobserver = pytest_swiftobserver\n")
    monkeypatch.setenv("PYTHONPATH", f"{PACKAGE.parent}:{pytester.path}")


@pytest.mark.usefixtures("found_by_pytest")
def test_pytest_has_the_fixtures(pytester):
    pytester.makepyfile(TEST_FILE)
    result = run_pytest(pytester)
    result.assert_outcomes(passed=1, failed=2)
    # Some run tests in random order.
    result.stdout.fnmatch_lines_random(
        [
            "E *AssertionError: Messenger made at * sent another message 1 than expected, 'b' instead of 'a',",
            "E *expected: 'a'",
            "E *sent: 'b'",
            "E *AssertionError: Messenger made at * sent what it should not",
            "E *sent: 'b'",
        ]
    )
    # The lines of the test, not those of the package.
    result.stdout.no_fnmatch_line("*__exit__*")


@pytest.mark.usefixtures("found_by_pytest")
def test_pytest_does_not_import_the_package_by_itself(pytester):
    pytester.makepyfile(
        """
        import sys

        def test_modules():
            assert "pytest_swiftobserver" in sys.modules
            assert "swiftobserver" not in sys.modules and "ctypes" not in sys.modules
        """
    )
    run_pytest(pytester).assert_outcomes(passed=1)


@pytest.mark.usefixtures("found_by_pytest")
def test_without_its_library_only_those_tests_fail_that_want_it(pytester, monkeypatch):
    other = compile_library("int other(void) { return 0; }", pytester.path / "other.so")
    monkeypatch.setenv("SWIFTOBSERVER_LIBRARY", str(other))
    pytester.makepyfile("def test_other(): pass\ndef test_ours(assert_sent): pass\n")
    result = run_pytest(pytester)
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["E *ImportError: swiftobserver: *other.so is not SwiftObserver: *"])


@pytest.mark.usefixtures("found_by_pytest")
def test_the_fixtures_describe_themselves(pytester):
    result = run_pytest(pytester, "--fixtures")
    result.stdout.fnmatch_lines(
        ["assert_sent*", "    Within its block*exactly*", "assert_not_sent*", "    Within*nothing*"]
    )


def test_the_project_declares_the_entry_point():
    project = (PACKAGE.parents[1] / "pyproject.toml").read_text()
    assert '[project.entry-points.pytest11]\nswiftobserver = "pytest_swiftobserver"\n' in project


def test_a_program_without_pytest_does_not_pay_for_it():
    code = "import sys; sys.modules['pytest'] = None; import swiftobserver; print('fine')"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ("fine\n", "")


def test_arrays_are_compared_by_each_element():
    numpy = pytest.importorskip("numpy")
    arrays = Messenger()
    with assert_sent(arrays, numpy.array([1, 2]), numpy.array([1])):
        arrays.send(numpy.array([1, 2]))
        arrays.send(numpy.array([1]))
    with pytest.raises(AssertionError, match="another message 1 than expected"):
        with assert_sent(arrays, numpy.array([1, 2])):
            arrays.send(numpy.array([1, 3]))


def test_the_identical_message_is_as_expected_whatever_its_equality_says():
    numbers, nan = Messenger(), float("nan")
    with assert_sent(numbers, nan):
        numbers.send(nan)
