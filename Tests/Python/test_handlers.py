# SPDX-License-Identifier: MIT
"""How handlers are held, how often they serve, who knows of them, and what their failing does."""

import inspect
import weakref

import pytest

from support import await_release, collect, fail, finalise
from swiftobserver import HandlerError, Messenger, Observer, Var, bind, graph, setter


class Listener:
    def __init__(self):
        self.received = []

    def receive(self, message):
        self.received.append(message)

    def receive_with_author(self, message, author):
        self.received.append((message, author))


each_kind = pytest.mark.parametrize("make", [Messenger, lambda: Messenger(native=True)], ids=["local", "native"])


@each_kind
def test_a_bound_method_is_held_weakly_and_its_observation_ends_with_its_object(make):
    messenger = make()
    listener = Listener()
    received = listener.received
    observations = [messenger.observe(listener.receive), messenger.observe(listener.receive_with_author)]
    messenger.send(1)
    assert received == [1, (1, messenger)]
    released = weakref.ref(listener)
    del listener
    await_release()
    assert released() is None
    assert [each.is_living for each in observations] == [False, False]
    messenger.send(2)
    assert len(received) == 2


@each_kind
def test_a_bound_method_is_held_strongly_if_asked_for(make):
    messenger = make()
    listener = Listener()
    received = listener.received
    observation = messenger.observe(listener.receive, weak=False)
    released = weakref.ref(listener)
    del listener
    collect()
    messenger.send(1)
    assert received == [1]
    observation.stop()
    await_release()
    assert released() is None


@each_kind
def test_a_method_whose_object_cannot_be_referred_to_weakly_is_held_strongly(make):
    messenger = make()

    class Slotted:
        __slots__ = ("received",)

        def receive(self, message):
            self.received.append(message)

    each = Slotted()
    received = each.received = []
    messenger.observe(each.receive)
    del each
    messenger.send(1)
    assert received == [1]
    each = Slotted()
    with pytest.raises(TypeError):
        messenger.observe(each.receive, weak=True)
    messenger.send(2)
    assert received == [1, 2]


@each_kind
@pytest.mark.parametrize("handler", [lambda message: None, print, [].append])
def test_only_a_method_can_be_held_weakly(make, handler):
    messenger = make()
    with pytest.raises(TypeError, match="weak: only a bound method"):
        messenger.observe(handler, weak=True)
    assert messenger.observations == ()


def test_an_observer_holds_methods_weakly_too():
    messenger, observer, listener = Messenger(), Observer(), Listener()
    observer.observe(messenger, listener.receive)
    observer.observe(messenger, weak=False)(Listener().receive)
    assert len(messenger.observations) == 2
    del listener
    await_release()
    assert len(messenger.observations) == 1


@each_kind
def test_an_object_that_dies_inside_a_delivery_receives_no_more(make):
    messenger = make()
    listeners = [Listener()]
    received = listeners[0].received

    @messenger.observe
    def clear(message):
        listeners.clear()
        await_release()

    messenger.observe(listeners[0].receive)
    messenger.send(1)
    assert received == []


@each_kind
def test_once_serves_decorators_authors_methods_and_observers(make):
    messenger = make()
    received = []
    listener, observer = Listener(), Observer()

    @messenger.observe(once=True)
    def handler(message, author):
        received.append((message, author))

    messenger.observe(listener.receive, once=True)
    observer.observe(messenger, received.append, once=True)
    for message in (1, 2):
        messenger.send(message, author="me")
    assert received == [(1, "me"), 1]
    assert listener.received == [1]
    assert messenger.observations == ()


@each_kind
def test_the_observations_of_an_observable_are_known(make):
    messenger = make()
    observer, other = Observer(), Messenger()
    expected = {messenger.observe(fail), observer.observe(messenger, fail)}
    other.observe(fail)
    assert set(messenger.observations) == expected
    expected.pop().stop()
    assert set(messenger.observations) == expected


def test_a_name_stands_in_errors_and_in_what_is_printed():
    messenger, variable = Messenger(), Var(1)
    assert messenger.name is None
    messenger.name, variable.name = "news", "volume"
    assert repr(messenger).startswith("<Messenger 'news' made at ")
    assert repr(variable).startswith("<Var 'volume' 1, made at ")
    assert "of <Messenger 'news' made at" in repr(messenger.observe(fail))
    with pytest.raises(HandlerError, match="handler fail of Messenger 'news' made at"):
        messenger.send(1)
    with pytest.raises(TypeError, match="name must be"):
        messenger.name = 5
    messenger.name = None
    assert "news" not in repr(messenger)


@each_kind
def test_a_wrapped_handler_keeps_its_name(make):
    messenger = make()

    class Failing:
        def receive(self, message):
            raise ValueError(message)

    each = Failing()
    messenger.observe(each.receive)
    messenger.observe(fail, once=True)
    with pytest.raises(HandlerError, match="handler .*Failing.receive of .*; handler fail of"):
        messenger.send(1)


@each_kind
def test_the_first_failure_may_stop_the_delivery(make):
    messenger = make()
    received = []
    messenger.stops_at_failure = True

    def handler(message):
        received.append(message)
        if message == 1:
            messenger.send(2)

    messenger.observe(handler)
    messenger.observe(lambda message: fail(message) if message == 1 else None)
    messenger.observe(lambda message, author: received.append((message, author)))
    with pytest.raises(HandlerError) as caught:
        messenger.send(1)
    assert received == [1]
    assert len(caught.value.exceptions) == 1
    messenger.send(3)
    assert received == [1, 3, (3, messenger)]


@each_kind
def test_whether_a_failure_stops_is_decided_before_anybody_observes(make):
    messenger = make()
    with messenger.observe(fail):
        with pytest.raises(RuntimeError, match="before the first observation"):
            messenger.stops_at_failure = True
    messenger.stops_at_failure = True
    assert messenger.stops_at_failure


@each_kind
def test_a_failure_handler_gets_the_failures_and_the_sender_none(make):
    messenger = make()
    failures, received = [], []
    messenger.failure_handler = failures.append
    messenger.observe(fail)
    messenger.observe(received.append)
    messenger.send("reason")
    assert received == ["reason"]
    ((role, function, observable, place, exception),) = failures
    assert (role, function, str(exception)) == ("handler", "fail", "reason")
    assert observable == messenger._title()
    assert place.file == __file__
    messenger.failure_handler = None
    with pytest.raises(HandlerError):
        messenger.send("reason")
    failures.clear()


@each_kind
def test_a_failure_handler_that_fails_is_a_failure(make):
    messenger = make()

    def give_up(failure):
        raise RuntimeError("given up")

    messenger.failure_handler = give_up
    messenger.observe(fail)
    with pytest.raises(HandlerError, match="failure handler .*give_up.*RuntimeError: given up"):
        messenger.send(1)
    with pytest.raises(TypeError, match="failure_handler must"):
        messenger.failure_handler = 5


@each_kind
def test_the_failures_of_a_mapper_go_to_the_failure_handler_of_its_source(make):
    messenger = make()
    failures = []
    messenger.failure_handler = lambda failure: failures.append(failure.role)
    mapped = messenger.map(fail)
    mapped.observe(print)
    try:
        messenger.send(1)
    except RuntimeError:
        # The library reports that a mapper failed, and knows nothing of failure handlers.
        pytest.fail("the sender was told")
    assert failures == ["mapper"]


@each_kind
def test_a_send_in_between_does_not_tell_what_a_failure_handler_has_seen_to(make):
    failures = []
    messenger, other, variable = make(), make(), Var(0)
    messenger.failure_handler = other.failure_handler = lambda failure: failures.append(failure.role)
    mapped, also_mapped = messenger.map(fail), other.map(fail)
    mapped.observe(print)
    also_mapped.observe(print)

    @messenger.observe
    def forward(message):
        other.send(message)
        variable.value = message

    messenger.send(1)
    assert failures == ["mapper", "mapper"]


@each_kind
@pytest.mark.parametrize("options", [{}, {"once": True}, {"weak": False}, {"on": lambda job: job()}])
def test_an_observation_is_ended_by_its_handler(make, options):
    messenger, other, receiver, also = make(), make(), Listener(), Listener()
    if options.get("weak") is None:
        messenger.observe(print, **options)
    messenger.observe(receiver.receive, **options)
    messenger.observe(receiver.receive, **options)
    kept = messenger.observe(also.receive, **options)
    elsewhere = other.observe(receiver.receive, **options)
    assert messenger.stop_observing(receiver.receive)
    assert not messenger.stop_observing(receiver.receive)
    messenger.stop_observing(print)
    assert messenger.observations == (kept,)
    assert elsewhere.is_living
    assert not messenger.stop_observing(len)


@each_kind
def test_the_exception_of_a_handler_itself_is_raised_where_that_is_wanted(make):
    messenger, received = make(), []
    assert messenger.raises_first is False
    messenger.raises_first = True
    assert messenger.raises_first is True

    def fail(message):
        raise LookupError(message)

    messenger.observe(fail)
    messenger.observe(lambda message: 1 / 0)
    messenger.observe(received.append)
    with pytest.raises(LookupError, match="reason"):
        messenger.send("reason")
    assert received == ["reason"]
    messenger.raises_first = False
    with pytest.raises(HandlerError):
        messenger.send("reason")


@each_kind
def test_a_setter_sets_an_attribute_and_keeps_nothing(make):
    class Label:
        text = ""

    label, messenger = Label(), make()
    messenger.observe(setter(label, "text"))
    messenger.send("news")
    assert label.text == "news"
    gone = weakref.ref(label)
    del label
    await_release()
    assert (gone(), messenger.count) == (None, 0)


@pytest.mark.parametrize("kind", [Messenger, Var, Observer])
def test_a_subclass_that_forgets_to_initialise_its_base_is_told_when_it_is_made(kind):
    class Forgetful(kind):
        def __init__(self, text="given"):
            "What it does."
            self.text = text

    class Late(Forgetful):
        def __init__(self):
            super().__init__()
            kind.__init__(self, *([5] if kind is Var else []))

    class Generated(kind):
        """Its `__init__` comes later, as that of a dataclass does."""

    Generated.__init__ = lambda self: None
    for forgetful in (Forgetful, Late):
        with pytest.raises(
            AttributeError, match=rf"an __init__ of {forgetful.__name__} must call super\(\).__init__\(\)"
        ):
            forgetful()
    with pytest.raises(AttributeError, match=r"an __init__ of Generated must call super\(\).__init__\(\)"):
        Observer().observe(Generated(), print) if kind is not Observer else Generated().observe(Messenger(), print)
    assert str(inspect.signature(Forgetful)) == "(text='given')"
    assert Forgetful.__init__.__doc__ == "What it does."


@pytest.mark.parametrize("make", [Messenger, lambda: Var(1), Observer, lambda: Messenger().map(str)])
def test_a_misspelt_attribute_is_refused_with_the_name_that_may_be_meant(make):
    each = make()
    with pytest.raises(
        AttributeError, match=r"(Messenger|Var|Observer|Observable) has no attribute 'conut': is it 'count'\?"
    ):
        each.conut = 5
    with pytest.raises(AttributeError, match="has no attribute 'quite_another'$"):
        each.quite_another = 5
    assert not {"conut", "quite_another"} & set(vars(each))


def test_a_subclass_may_have_attributes_of_its_own():
    class Counting(Var):
        def __init__(self, value):
            self.changes = 0
            super().__init__(value)
            self.observe(self.count_change, weak=True)

        def count_change(self):
            self.changes += 1

    counting = Counting(1)
    counting.value, counting.more = 2, "more"
    assert (counting.changes, counting.more, counting.value) == (1, "more", 2)


@pytest.mark.parametrize("native", [False, True], ids=["local", "native"])
def test_what_is_used_after_its_end_says_so(native):
    def after_its_end(made):
        finalise(made)
        return made

    uses = [
        lambda each: each.observe(print),
        lambda each: Observer().observe(each, print),
        lambda each: each.map(str),
        lambda each: each.from_("me"),
        lambda each: bind(each, Var(1)),
        lambda each: setattr(each, "name", "late"),
        lambda each: setattr(each, "ordered", False),
        lambda each: graph(each),
    ]
    messenger, variable = after_its_end(Messenger(native=native)), after_its_end(Var(1, native=native))
    mapped = after_its_end(Messenger(native=native).map(str))
    for each in (messenger, variable, mapped):
        for use in uses:
            with pytest.raises(ValueError, match="is gone: Python has finalised it"):
                use(each)
        with pytest.raises(ValueError, match="is gone" if native else "native=True"):
            each.pointer
    for use in (lambda: messenger.send(1), lambda: messenger.send(1, author="me"), lambda: variable.set(2)):
        with pytest.raises(ValueError, match="is gone: Python has finalised it"):
            use()


@pytest.mark.parametrize("native", [False, True], ids=["local", "native"])
def test_what_the_garbage_collector_finds_ends_even_if_what_it_still_delivers_fails(native, monkeypatch):
    variable = Var(1, native=native)
    monkeypatch.setattr(type(variable._store), "flush", lambda store, dying: fail("late"))
    with pytest.raises(ValueError):
        finalise(variable)
    with pytest.raises(ValueError, match="is gone: Python has finalised it"):
        variable.observe(print)


def test_a_name_with_half_a_pair_of_surrogates_is_refused_with_a_sentence():
    with pytest.raises(ValueError, match="name must not contain half a pair of surrogates"):
        Messenger(name="\ud800")
