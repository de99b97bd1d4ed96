/* SPDX-License-Identifier: MIT */
/* A model of a core that leans to one thread: Sources/ObserverEngine/Core/AnyCore+Leaning.swift in Promela, for spin.
 *
 * The leaner sends messages, or sets a value that sends them, one from inside a handler, has a handler fail, and reads the
 * value in between. Beside
 * it one thread sends, and another one changes the value, and closes the core as soon as the last handler says so. What
 * leaned once may lean to the same thread again.
 *
 * Stores of the leaner to `busy` pass through a store buffer: a later load may overtake them. Locked instructions and the
 * lock flush the thread's own buffer, the barrier flushes the leaner's, as membarrier(2) does.
 *
 * check.sh runs this, and what must fail: NO_BARRIER, NO_LOOK_ENTER, NO_LOOK_LEAVE, NO_LOOK_BRIEF, NO_WAIT, NO_LOCK,
 * NO_HOLD. */
#ifndef SENDS
#define SENDS 3 /* messages of the leaner; the second comes from inside the handler of the first, if it is not waiting */
#endif

#define LEANING 1
#define OWNED 2
#define TAKEN 4
#define WORK 8
#define FAILED 16
#define CLOSED 32
#define WAITING 64

#define FREE 0
#define DELIVERING 1
#define BRIEF 2

byte state = LEANING;
byte owner = 0;
byte found; /* in `busy`; guarded by the lock */
byte busy = FREE;                   /* in memory */
chan buffer = [8] of { byte };      /* the leaner's stores that are not in memory yet */
bool locked = false;
bool alive = true;
bool last_was_delivered = false;
bool sender_is_done = false;
bool failed = false, told = false;

byte inside = 0;                    /* how many threads deliver */
byte at_value = 0;                  /* how many threads are at the value */
byte delivered = 0;
chan queue = [8] of { byte, byte }; /* messages that wait: sender, number */
chan going = [8] of { byte, byte }; /* what the owner has taken out of that */
byte last[2];                       /* the last number delivered of each sender */

inline flush() { atomic { do :: nempty(buffer) -> buffer ? busy :: empty(buffer) -> break od } }
inline flush_own(me) { if :: me == 0 -> flush() :: else fi }

/* AnyCore.lock, with revokeLeaning. `mine` is what the leaner knows that it has stored in `busy`. */
inline lock(me, mine) {
    atomic { !locked -> locked = true; flush_own(me) };
    assert(alive);
    if
    :: (state & LEANING) && owner == me ->
        if
        :: mine == DELIVERING -> state = state | OWNED | TAKEN
        :: else
        fi
    :: (state & LEANING) && owner != me ->
        state = state | TAKEN;
#ifndef NO_BARRIER
        flush();
#endif
#ifdef NO_WAIT
        found = busy;
#else
        atomic { busy != BRIEF -> found = busy }; /* one look: it may be busy again already */
#endif
        if
        :: found != DELIVERING -> state = state & ~(LEANING | TAKEN)
        :: else -> state = state | OWNED; state = state & ~LEANING
        fi
    :: else
    fi
}
inline unlock(me) { atomic { flush_own(me); locked = false } }

inline begin_delivery(sender, number) {
    atomic {
        inside++; assert(inside == 1); assert(alive);
        assert(number == last[sender] + 1); last[sender] = number; delivered++;
        if :: sender == 0 && number == SENDS -> last_was_delivered = true :: else fi
    }
}
inline end_delivery() { atomic { assert(alive); inside-- } }
inline deliver(sender, number) { begin_delivery(sender, number); end_delivery() }

/* holdOwner. */
inline hold() {
#ifdef NO_HOLD
    skip
#else
    state = state | WAITING
#endif
}

/* drain and settle. */
inline leave_slowly(me) {
    do
    :: lock(me, FREE);
        if
        :: nempty(going) || nempty(queue) ->
            atomic {
                if
                :: empty(going) -> do :: nempty(queue) -> queue ? s, n; going ! s, n :: empty(queue) -> break od
                :: else
                fi;
                if :: !(state & CLOSED) -> state = state & ~WORK :: else fi
            };
            unlock(me);
            do
            :: nempty(going) -> going ? s, n; deliver(s, n); if :: state & WORK -> break :: else fi
            :: empty(going) -> break
            od
        :: empty(going) && empty(queue) ->
            atomic {
                assert(state & OWNED);
                if :: state & FAILED -> told = true :: else fi;
                state = state & ~(OWNED | WORK | FAILED | WAITING)
            };
            was_closed = state & CLOSED;
            unlock(me);
            if :: was_closed -> assert(alive); alive = false :: else fi;
            break
        fi
    od
}

inline release(me) {
    if
    :: atomic { state == OWNED -> flush_own(me); state = 0 }
    :: else -> leave_slowly(me)
    fi
}

inline send_slowly(me, number) {
    lock(me, FREE);
    if
    :: (state & (OWNED | WAITING)) == (OWNED | WAITING) -> queue ! me, number; unlock(me)
    :: atomic { (state & (OWNED | WAITING)) == OWNED -> hold() }; queue ! me, number; unlock(me)
    :: atomic { !(state & OWNED) -> state = state | OWNED }; owner = me; unlock(me);
        deliver(me, number);
        release(me)
    fi
}

/* ownTaken and what follows. */
inline own_taken(me) {
    lock(me, DELIVERING);
    buffer ! FREE;
    was_taken = state & TAKEN;
    state = state & ~TAKEN;
    unlock(me)
}

/* canLean */
inline relean(me) {
#ifndef NO_LOCK
    atomic { !locked -> locked = true; flush_own(me) };
#endif
    atomic { state_was = state; if :: state_was == OWNED -> state = LEANING :: else fi };
#ifndef NO_LOCK
    unlock(me)
#endif
}

inline look(seen) { atomic { assert(alive); seen = state } }

proctype Leaner() {
    byte number = 1, s, n, seen, was_taken, was_closed, state_was, kind;
    do
    :: number > SENDS -> break
    :: else ->
        if
        :: state == LEANING && owner == 0 ->
            if
            :: kind = DELIVERING
            :: kind = BRIEF /* a message that comes of setting the value */
            fi;
            buffer ! kind;
            look(seen);
#ifdef NO_LOOK_ENTER
            seen = LEANING;
#endif
            if
            :: seen == LEANING ->
                if
                :: kind == BRIEF -> atomic { at_value++; assert(at_value == 1) }; at_value--; buffer ! DELIVERING
                :: else
                fi;
                begin_delivery(0, number);
                if
                :: number == 1 -> /* a send from inside the handler */
                    number++;
                    lock(0, DELIVERING);
                    assert(state & OWNED);
                    hold();
                    queue ! 0, number;
                    unlock(0)
                :: number == 3 -> atomic { flush(); state = state | FAILED | WORK; failed = true }
                :: true
                fi;
                end_delivery();
                buffer ! BRIEF;
                look(seen);
#ifdef NO_LOOK_LEAVE
                seen = LEANING;
#endif
                if
                :: seen == LEANING -> buffer ! FREE
                :: else ->
                    buffer ! DELIVERING;
                    own_taken(0);
                    assert(was_taken);
                    leave_slowly(0)
                fi
            :: seen != LEANING && kind == BRIEF -> buffer ! FREE; send_slowly(0, number)
            :: seen != LEANING && kind == DELIVERING ->
                own_taken(0);
                if
                :: was_taken -> lock(0, FREE); queue ! 0, number; unlock(0); leave_slowly(0)
                :: else -> send_slowly(0, number)
                fi
            fi
        :: atomic { state == 0 -> flush(); state = OWNED }; owner = 0;
            deliver(0, number);
            if
            :: true -> /* It leans again: with the lock, for who holds it has seen that nothing leans. */
                relean(0);
                if
                :: state_was == OWNED
                :: else -> release(0)
                fi
            :: true -> release(0)
            fi
        :: state != LEANING && state != 0 -> send_slowly(0, number)
        fi;
        number++;

        /* Reads the value. The core is there, because the last message has not been sent. */
        if
        :: number <= SENDS && state == LEANING ->
            buffer ! BRIEF;
            look(seen);
#ifdef NO_LOOK_BRIEF
            seen = LEANING;
#endif
            if
            :: seen == LEANING -> atomic { at_value++; assert(at_value == 1) }; at_value--
            :: else
            fi;
            buffer ! FREE
        :: true
        fi
    od
}

proctype Sender() {
    byte s, n, was_closed;
    if
    :: atomic { state == 0 -> state = OWNED }; owner = 1; deliver(1, 1); release(1)
    :: state != 0 -> send_slowly(1, 1)
    fi;
    sender_is_done = true
}

/* Sets the value, and later is the last to let go of the core. */
proctype Closer() {
    lock(2, FREE);
    atomic { at_value++; assert(at_value == 1) };
    at_value--;
    unlock(2);
    last_was_delivered && sender_is_done;
    lock(2, FREE);
    state = state | CLOSED | WORK;
    if
    :: state & OWNED -> unlock(2)
    :: else -> unlock(2); assert(alive); alive = false
    fi
}

/* Stores reach memory at any time. */
active proctype Memory() {
end:
    do
    :: buffer ? busy
    od
}

init {
    atomic { run Leaner(); run Sender(); run Closer() };
    /* When all is quiet, every message has been delivered once, nothing waits, and the core is gone. */
    (_nr_pr == 2);
    assert(delivered == SENDS + 1);
    assert(empty(queue) && empty(going));
    assert(!alive);
    assert(!failed || told)
}
