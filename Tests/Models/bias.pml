/* SPDX-License-Identifier: MIT */
/* A model of a core that is biased to one thread: Sources/ObserverEngine/Core/AnyCore+Bias.swift in Promela, for spin.
 *
 * The bias owner sends messages, or sets a value that sends them, one from inside a handler, has a handler fail, and reads the
 * value in between. Beside
 * it one thread sends, and another one changes the value, and closes the core as soon as the last handler says so. What
 * was biased once may be biased to the same thread again.
 *
 * Stores of the bias owner to `reader_state` pass through a store buffer: a later load may overtake them. Locked instructions and the
 * lock flush the thread's own buffer, the barrier flushes the bias owner's, as membarrier(2) does.
 *
 * check.sh runs this, and what must fail: NO_BARRIER, NO_LOOK_ENTER, NO_LOOK_LEAVE, NO_LOOK_CRITICAL, NO_WAIT, NO_LOCK,
 * NO_SIGNAL. */
#ifndef SENDS
#define SENDS 3 /* messages of the bias owner; the second comes from inside the handler of the first, if it is not waiting */
#endif

#define BIASED 1
#define OWNED 2
#define REVOKED 4
#define WORK 8
#define FAILED 16
#define CLOSED 32
#define ENQUEUED 64

#define IDLE 0
#define DELIVERING 1
#define CRITICAL 2

byte state = BIASED;
byte owner = 0;
byte found; /* in `reader_state`; guarded by the lock */
byte reader_state = IDLE;                   /* in memory */
chan buffer = [8] of { byte };      /* the bias owner's stores that are not in memory yet */
bool locked = false;
bool alive = true;
bool last_was_delivered = false;
bool sender_is_done = false;
bool failed = false, told = false;

byte inside = 0;                    /* how many threads deliver */
byte at_value = 0;                  /* how many threads are at the value */
byte delivered = 0;
chan queue = [8] of { byte, byte }; /* messages that wait: sender, number */
chan batch = [8] of { byte, byte }; /* what the owner has taken out of that */
byte last[2];                       /* the last number delivered of each sender */

inline flush() { atomic { do :: nempty(buffer) -> buffer ? reader_state :: empty(buffer) -> break od } }
inline flush_own(me) { if :: me == 0 -> flush() :: else fi }

/* AnyCore.lock, with revokeBias. `mine` is what the bias owner knows that it has stored in `reader_state`. */
inline lock(me, mine) {
    atomic { !locked -> locked = true; flush_own(me) };
    assert(alive);
    if
    :: (state & BIASED) && owner == me ->
        if
        :: mine == DELIVERING -> state = state | OWNED | REVOKED
        :: else
        fi
    :: (state & BIASED) && owner != me ->
        state = state | REVOKED;
#ifndef NO_BARRIER
        flush();
#endif
#ifdef NO_WAIT
        found = reader_state;
#else
        atomic { reader_state != CRITICAL -> found = reader_state }; /* one look: it may be reader_state again already */
#endif
        if
        :: found != DELIVERING -> state = state & ~(BIASED | REVOKED)
        :: else -> state = state | OWNED; state = state & ~BIASED
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

/* signalOwner. */
inline signal() {
#ifdef NO_SIGNAL
    skip
#else
    state = state | ENQUEUED
#endif
}

/* drain and endDelivery. */
inline leave_slowly(me) {
    do
    :: lock(me, IDLE);
        if
        :: nempty(batch) || nempty(queue) ->
            atomic {
                if
                :: empty(batch) -> do :: nempty(queue) -> queue ? s, n; batch ! s, n :: empty(queue) -> break od
                :: else
                fi;
                if :: !(state & CLOSED) -> state = state & ~WORK :: else fi
            };
            unlock(me);
            do
            :: nempty(batch) -> batch ? s, n; deliver(s, n); if :: state & WORK -> break :: else fi
            :: empty(batch) -> break
            od
        :: empty(batch) && empty(queue) ->
            atomic {
                assert(state & OWNED);
                if :: state & FAILED -> told = true :: else fi;
                state = state & ~(OWNED | WORK | FAILED | ENQUEUED)
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
    lock(me, IDLE);
    if
    :: (state & (OWNED | ENQUEUED)) == (OWNED | ENQUEUED) -> queue ! me, number; unlock(me)
    :: atomic { (state & (OWNED | ENQUEUED)) == OWNED -> signal() }; queue ! me, number; unlock(me)
    :: atomic { !(state & OWNED) -> state = state | OWNED }; owner = me; unlock(me);
        deliver(me, number);
        release(me)
    fi
}

/* acquireRevoked and what follows. */
inline own_revoked(me) {
    lock(me, DELIVERING);
    buffer ! IDLE;
    was_revoked = state & REVOKED;
    state = state & ~REVOKED;
    unlock(me)
}

/* tryBias */
inline rebias(me) {
#ifndef NO_LOCK
    atomic { !locked -> locked = true; flush_own(me) };
#endif
    atomic { state_was = state; if :: state_was == OWNED -> state = BIASED :: else fi };
#ifndef NO_LOCK
    unlock(me)
#endif
}

inline look(seen) { atomic { assert(alive); seen = state } }

proctype BiasOwner() {
    byte number = 1, s, n, seen, was_revoked, was_closed, state_was, kind;
    do
    :: number > SENDS -> break
    :: else ->
        if
        :: state == BIASED && owner == 0 ->
            if
            :: kind = DELIVERING
            :: kind = CRITICAL /* a message that comes of setting the value */
            fi;
            buffer ! kind;
            look(seen);
#ifdef NO_LOOK_ENTER
            seen = BIASED;
#endif
            if
            :: seen == BIASED ->
                if
                :: kind == CRITICAL -> atomic { at_value++; assert(at_value == 1) }; at_value--; buffer ! DELIVERING
                :: else
                fi;
                begin_delivery(0, number);
                if
                :: number == 1 -> /* a send from inside the handler */
                    number++;
                    lock(0, DELIVERING);
                    assert(state & OWNED);
                    signal();
                    queue ! 0, number;
                    unlock(0)
                :: number == 3 -> atomic { flush(); state = state | FAILED | WORK; failed = true }
                :: true
                fi;
                end_delivery();
                buffer ! CRITICAL;
                look(seen);
#ifdef NO_LOOK_LEAVE
                seen = BIASED;
#endif
                if
                :: seen == BIASED -> buffer ! IDLE
                :: else ->
                    buffer ! DELIVERING;
                    own_revoked(0);
                    assert(was_revoked);
                    leave_slowly(0)
                fi
            :: seen != BIASED && kind == CRITICAL -> buffer ! IDLE; send_slowly(0, number)
            :: seen != BIASED && kind == DELIVERING ->
                own_revoked(0);
                if
                :: was_revoked -> lock(0, IDLE); queue ! 0, number; unlock(0); leave_slowly(0)
                :: else -> send_slowly(0, number)
                fi
            fi
        :: atomic { state == 0 -> flush(); state = OWNED }; owner = 0;
            deliver(0, number);
            if
            :: true -> /* It is biased again: with the lock, for who holds it has seen that nothing is biased. */
                rebias(0);
                if
                :: state_was == OWNED
                :: else -> release(0)
                fi
            :: true -> release(0)
            fi
        :: state != BIASED && state != 0 -> send_slowly(0, number)
        fi;
        number++;

        /* Reads the value. The core is there, because the last message has not been sent. */
        if
        :: number <= SENDS && state == BIASED ->
            buffer ! CRITICAL;
            look(seen);
#ifdef NO_LOOK_CRITICAL
            seen = BIASED;
#endif
            if
            :: seen == BIASED -> atomic { at_value++; assert(at_value == 1) }; at_value--
            :: else
            fi;
            buffer ! IDLE
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
    lock(2, IDLE);
    atomic { at_value++; assert(at_value == 1) };
    at_value--;
    unlock(2);
    last_was_delivered && sender_is_done;
    lock(2, IDLE);
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
    :: buffer ? reader_state
    od
}

init {
    atomic { run BiasOwner(); run Sender(); run Closer() };
    /* When all is quiet, every message has been delivered once, nothing waits, and the core is gone. */
    (_nr_pr == 2);
    assert(delivered == SENDS + 1);
    assert(empty(queue) && empty(batch));
    assert(!alive);
    assert(!failed || told)
}
