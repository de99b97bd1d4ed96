/* SPDX-License-Identifier: MIT */
/* A model of how threads share a core that is biased to none: the state word of Sources/ObserverEngine/Core in Promela, for
 * spin. The threads go on for ever, or stop at any moment: so what holds here holds for any number of messages. Only how
 * many messages of one thread wait at a time is limited.
 *
 * Each sender sends messages, also from inside the handler, which it owns (Core.send, release) or leaves to the owner
 * (sendSlowly, signalOwner), who takes all that wait at once (drain) and offers what is left to others (tryHandOff). Beside
 * them a thread stops the observation, waits for its handler (stopAndWait), and observes again.
 *
 * What the owner notes in `current` passes through a store buffer: its later look at the state may overtake it. Locked
 * instructions and the lock flush the thread's own buffer; the barrier flushes all, as membarrier(2) does.
 *
 * check.sh runs this, and what must fail: NO_BARRIER, NO_SECOND_BARRIER, NO_RECHECK, NO_REVALIDATE, NO_RAISE. And it has the
 * model follow what the library has done: with TRACES, of which one is chosen (traces.h, made by traces.py of what the
 * explorer says), a thread changes the state, calls a handler, returns from it, and has stopped and waited only when the
 * trace does so. */
#define SENDERS 2
#ifndef IN_INBOX
#define IN_INBOX 2 /* messages of one sender that wait at a time */
#endif
#define NUMBERS (IN_INBOX + 1) /* more than wait: so a number tells which message it is */

#define OWNED 1
#define WORK 2
#define REVALIDATE 4
#define AWAITED 8
#define OFFERED 16
#define ENQUEUED 32

#define NONE 0
#define HANDLER 1 /* of the observation that is stopped */
#define OTHER 2   /* of another one */

#define CALLED 256 /* events: of a thread, with what it does */
#define RETURNED 512
#define STOPPED 768
#define CHANGED 1024
#ifdef TRACES
c_decl { \#include "traces.h" }
short due = 0;      /* what comes next in the trace */
int place = 0;      /* and where that stands */
short chosen = 0;
#define NEXT c_code { now.due = traces[++now.place]; }
/* Where a thread would do something else, all stop. */
#define FOLLOW(event) if :: due == (event) -> NEXT :: else -> due = -1; false fi
#define FOLLOWING provided (due != -1)
#else
#define FOLLOW(event) skip
#define FOLLOWING
#endif
#define AT(thread, which, sender, message) ((thread) * 64 + (which - HANDLER) * 32 + (sender) * 8 + (message))

byte state = 0;
byte owner = 0;
bool locked = false;
byte current = NONE;                /* in memory: the handler that is about to be called or is being called */
chan buffer0 = [2] of { byte };     /* the notes of each sender that are not in memory yet */
chan buffer1 = [2] of { byte };

bool living = true;                 /* the record's phase */
bool placed = true;                 /* whether the entry has its handler */
bool is_ended = false;              /* whether the owner is to take the handler out */
bool pinned = false;                /* whether a thread that waits keeps the record */
bool is_retired = false;            /* whether the handler has been taken out meanwhile */
bool shared = false;

byte inside = 0;                    /* how many threads deliver */
byte running = 0;                   /* how many calls of the handler are in progress */
bool quiet = false;                 /* stopAndWait has returned */
bool is_waiting = false;            /* stopAndWait waits */
byte next[SENDERS];                 /* the number of a sender's next message */
byte expected[SENDERS];             /* the number of its next message to be delivered */
byte left[SENDERS];                 /* how many of its messages have not been delivered */
chan incoming = [4] of { byte, byte };
chan batch = [4] of { byte, byte };

inline flush(me) {
    if
    :: me == 0 -> do :: nempty(buffer0) -> buffer0 ? current :: empty(buffer0) -> break od
    :: me == 1 -> do :: nempty(buffer1) -> buffer1 ? current :: empty(buffer1) -> break od
    :: else
    fi
}
inline note(me, value) { if :: me == 0 -> buffer0 ! value :: else -> buffer1 ! value fi }

/* Every change of the state, within `atomic`. */
inline becomes(me, value) {
    if
    :: state != (value) -> FOLLOW(CHANGED + me * 64 + (value)); state = value
    :: else
    fi
}

inline lock(me) { atomic { !locked -> locked = true; flush(me) } }
inline unlock(me) { atomic { flush(me); locked = false } }

inline announce(me) { atomic { becomes(me, state & ~AWAITED) } }

/* A handler sends, or does not. */
inline maybe_send(sending) {
    if
    :: left[sending] < IN_INBOX -> /* a send from inside the handler */
        lock(sending);
        atomic {
            assert(state & OWNED); becomes(sending, state | ENQUEUED);
            incoming ! sending, next[sending];
            next[sending] = (next[sending] + 1) % NUMBERS; left[sending]++
        };
        unlock(sending)
    :: true
    fi
}

/* note and revalidate: whether a handler may be called that has just been hazard. */
inline look(caller) {
#ifndef NO_REVALIDATE
    if
    :: atomic { !(state & (REVALIDATE | AWAITED)) -> skip }
    :: atomic { state & AWAITED -> skip }; lock(caller); announce(caller); unlock(caller); admitted = living
    :: atomic { (state & (REVALIDATE | AWAITED)) == REVALIDATE -> skip }; admitted = living
    fi
#else
    skip
#endif
}

/* offer: calls the handler of the message `number` of `sender`, if there is one. */
inline offer(thread, sender, message) {
    atomic {
        inside++; assert(inside == 1);
        assert(message == expected[sender]); /* in order, none lost, none twice */
        expected[sender] = (expected[sender] + 1) % NUMBERS; left[sender]--
    }
#ifdef NO_STOPPER
    maybe_send(thread);
#else
    if
    :: placed ->
        note(thread, HANDLER);
        admitted = true;
        look(thread);
        if
        :: admitted ->
            atomic { FOLLOW(CALLED + AT(thread, HANDLER, sender, message)); running++; assert(!quiet); assert(placed) };
            maybe_send(thread);
            atomic { FOLLOW(RETURNED + AT(thread, HANDLER, sender, message)); running--; assert(!quiet) }
        :: else
        fi;
        admitted = false
    :: else
    fi;
    /* The other handler goes on when the thread that waits for the first one does. */
    note(thread, OTHER);
    look(thread);
    atomic { FOLLOW(CALLED + AT(thread, OTHER, sender, message)) };
    atomic { !is_waiting -> FOLLOW(RETURNED + AT(thread, OTHER, sender, message)); admitted = false };
    note(thread, NONE);
#endif
    atomic { inside-- }
}

/* sweep. The lock is held, and owned. */
inline clear_away() {
    if
    :: is_ended -> atomic { assert(running == 0); placed = false; is_ended = false; is_retired = pinned }
    :: else
    fi
}

inline offerOwnership(me) { atomic { becomes(me, state | OFFERED) }; atomic { becomes(me, state & ~OWNED) } }

/* adopt. The lock is held. */
inline take_over(me, done) {
    if
    :: state & OFFERED ->
        atomic { becomes(me, state | OWNED | WORK) };
        atomic { becomes(me, state & ~OFFERED) };
        owner = me;
        done = true
    :: else -> done = false
    fi
}

inline drain(me) {
    do
    :: lock(me);
        clear_away();
        if :: state & (REVALIDATE | AWAITED) -> atomic { becomes(me, state & ~REVALIDATE) }; announce(me) :: else fi;
        atomic { /* Line.takeAll */
            if
            :: empty(batch) ->
                do :: incoming ? from, which -> batch ! from, which :: empty(incoming) -> from = 0; which = 0; break od
            :: nempty(batch)
            fi
        };
        if
        :: empty(batch) -> /* endDelivery */
            atomic {
                assert(state & OWNED);
                if
                :: is_retired -> becomes(me, state & ~(OWNED | ENQUEUED))
                :: else -> becomes(me, state & ~(OWNED | ENQUEUED | WORK | REVALIDATE))
                fi
            };
            unlock(me);
            break
        :: nempty(batch)
        fi;
        atomic { becomes(me, state & ~WORK) };
        unlock(me);
        do
        :: batch ? from, which ->
            offer(me, from, which);
            atomic { from = 0; which = 0 };
            if
            :: shared && (nempty(batch) || nempty(incoming)) -> /* tryHandOff: the budget is spent */
                lock(me);
                atomic { shared = false };
                offerOwnership(me);
                unlock(me);
                /* waits a while */
                lock(me);
                take_over(me, found);
                unlock(me);
                if :: !found -> gone = true; break :: else -> found = false fi
            :: true
            fi;
            if :: state & WORK -> break :: else fi
        :: empty(batch) -> break
        od;
        if :: gone -> gone = false; break :: else fi
    od
}

inline release(me) {
    if
    :: atomic { state == OWNED -> flush(me); becomes(me, 0) }
    :: state != OWNED -> drain(me)
    fi
}

inline send_slowly(me, number) {
    do
    :: if :: state & (OWNED | OFFERED) -> has_copy = true :: else fi;
        lock(me);
        if
        :: !(state & (OWNED | OFFERED)) ->
            if
            :: atomic { !(state & OWNED) -> becomes(me, state | OWNED) };
                unlock(me); owner = me; offer(me, me, number); release(me); break
            :: atomic { state & OWNED -> skip }
            fi
        :: else
        fi;
        if
        :: has_copy ->
            /* signalOwner and append */
            if
#ifdef NO_RAISE
            :: atomic { state & OWNED -> found = true }
#else
            :: atomic { (state & (OWNED | ENQUEUED)) == (OWNED | ENQUEUED) -> found = true }
            :: atomic { (state & (OWNED | ENQUEUED)) == OWNED -> becomes(me, state | ENQUEUED); found = true }
#endif
            :: atomic { !(state & OWNED) -> becomes(me, state | ENQUEUED) }
            fi;
            if
            :: found ->
                atomic { found = false; if :: owner != me -> shared = true :: else fi; incoming ! me, number };
                unlock(me);
                break
            :: else ->
                take_over(me, found);
                if
                :: found -> atomic { found = false; incoming ! me, number }; unlock(me); drain(me); break
                :: else
                fi
            fi
        :: else
        fi;
        unlock(me)
    od;
    has_copy = false
}

proctype Sender(byte me) FOLLOWING {
    byte number, from, which;
    bool admitted, gone, found, has_copy;
    do
    :: true -> break
    :: left[me] < IN_INBOX ->
        atomic { number = next[me]; next[me] = (next[me] + 1) % NUMBERS; left[me]++ };
        if
        :: atomic { state == 0 -> flush(me); becomes(me, OWNED) }; owner = me; offer(me, me, number); release(me)
        :: state != 0 -> send_slowly(me, number)
        fi;
        number = 0
    od
}

/* Stops the observation, waits until its handler is not running, and observes again. */
proctype Stopper() FOLLOWING {
    do
    :: true -> break
    :: true ->
        lock(SENDERS);
        living = false;
        if
        :: atomic { state & OWNED -> becomes(SENDERS, state | REVALIDATE | WORK); is_ended = true }
        :: atomic { !(state & OWNED) -> becomes(SENDERS, state | REVALIDATE | WORK) };
            placed = false;
            atomic { becomes(SENDERS, state & ~(REVALIDATE | WORK)) }
        fi;
        unlock(SENDERS);
        lock(SENDERS);
        pinned = placed;
        unlock(SENDERS);
        /* waitForHandler */
#ifndef NO_BARRIER
        atomic { flush(0); flush(1) };
#endif
        lock(SENDERS);
        do
        :: !(pinned && current == HANDLER && placed) -> break
        :: else ->
            atomic { becomes(SENDERS, state | AWAITED) };
            /* It may have returned between the look and the bit, or a note of that may be on its way. */
#ifndef NO_SECOND_BARRIER
            atomic { flush(0); flush(1) };
#endif
#ifndef NO_RECHECK
            if :: !(current == HANDLER && placed) -> break :: else fi;
#endif
            unlock(SENDERS);
            is_waiting = true;
            atomic { !(state & AWAITED) -> is_waiting = false };
            lock(SENDERS)
        od;
        unlock(SENDERS);
        lock(SENDERS);
        atomic { pinned = false; is_retired = false };
        unlock(SENDERS);
        atomic { FOLLOW(STOPPED + SENDERS); assert(running == 0); quiet = true };
        /* Observes again, when the entry is free. */
        !placed;
        quiet = false;
        lock(SENDERS);
        living = true;
        placed = true;
        unlock(SENDERS)
    od
}

/* Stores reach memory at any time. */
active proctype Memory() FOLLOWING {
end:
    do
    :: buffer0 ? current
    :: buffer1 ? current
    od
}

init {
    atomic {
#ifdef TRACES
        /* As many are chosen from as there are. */
        do :: c_expr { now.chosen < TRACES_COUNT - 1 } -> chosen++ :: break od;
        c_code { now.place = begins[now.chosen]; now.due = traces[now.place]; };
#endif
        run Sender(0); run Sender(1);
#ifndef NO_STOPPER
        run Stopper()
#endif
    };
#ifdef TRACES
    atomic { due == 0 -> c_code { if (!is_followed[now.chosen]) { is_followed[now.chosen] = 1; printf("followed %d\n", now.chosen); } } };
    false;
#endif
    /* When all have stopped, nothing waits, and the core is free. */
    (_nr_pr == 2);
    /* What is left raised makes the next send look for what has happened. */
    assert(!(state & (OWNED | OFFERED)));
    assert(empty(incoming) && empty(batch));
    assert(left[0] == 0 && left[1] == 0);
    assert(placed == living)
}
