/* SPDX-License-Identifier: MIT */
/* A model of a core whose messages keep no order, with several threads in slots:
 * Sources/ObserverEngine/Core/AnyCore+Unordered.swift in Promela, for spin.
 *
 * Each sender delivers in its slot (Core.sendInReaderSlot), or takes the lock to begin and to end (deliverUnordered), where the
 * core may be in slots again. The last handler, or what follows it, gives up what its thread sends with; the last of all
 * closes the core. Beside them a thread stops the observation, and waits for its handler (stopAndWait).
 *
 * What a sender stores in its slot passes through a store buffer: a later load may overtake it. Locked instructions and the
 * lock flush the thread's own buffer, the barrier flushes all, as membarrier(2) does.
 *
 * check.sh runs this, and what must fail: NO_BARRIER, NO_LOOK_ENTER, NO_LOOK_LEAVE, NO_LOOK_CALL, NO_WAIT, NO_RETIRING. */
#define SENDERS 2
#ifndef SENDS
#define SENDS 2 /* messages of each sender */
#endif
#define STOPPER SENDERS

#define IN_SLOTS 1
#define WORK 2
#define REVALIDATE 4
#define AWAITED 8
#define CLOSED 16

#define IDLE 0
#define DELIVERING 1
#define CRITICAL 2

#define NONE 255

byte state = IN_SLOTS;
bool locked = false;
bool alive = true;                      /* the core, with its slots */
byte owners = SENDERS + 1;              /* who can still begin something with it; the stopper has an id of its own */

byte reader_state[SENDERS];                     /* in memory */
bool current[SENDERS];                  /* in memory: whether the handler is about to be called or is being called */
byte began[SENDERS];
chan buffer0 = [4] of { bool, byte };   /* stores not in memory yet: whether to `reader_state`, and what */
chan buffer1 = [4] of { bool, byte };

bool living = true, placed = true;      /* the observation: its phase, and its place among the entries */
byte retired = 0, number = NONE;        /* how much has been retired, and as which of it the handler */
bool pinned = false;
byte running = 0;                       /* how many calls of the handler are in progress */
bool destroyed = false, quiet = false;  /* the handler's context; stopAndWait has returned */

inline reach(me, isBusy, value) {
    assert(alive);
    if :: isBusy -> reader_state[me] = value :: else -> current[me] = value fi
}
inline flush_one(me, buffer) { do :: nempty(buffer) -> buffer ? isBusy, value; reach(me, isBusy, value) :: empty(buffer) -> break od }
inline flush(me) { if :: me == 0 -> flush_one(0, buffer0) :: me == 1 -> flush_one(1, buffer1) :: else fi }
inline flush_all() { atomic { flush_one(0, buffer0); flush_one(1, buffer1) } }
inline store(me, isBusy, value) {
    if :: me == 0 -> buffer0 ! isBusy, value :: else -> buffer1 ! isBusy, value fi
}

inline acquire(me) { atomic { !locked -> locked = true; flush(me); assert(alive) } }
inline release(me) { atomic { flush(me); locked = false } }

inline barrier() {
#ifndef NO_BARRIER
    flush_all()
#else
    skip
#endif
}

/* revokeReaderSlots. */
inline revoke() {
    if
    :: state & IN_SLOTS ->
        state = state & ~IN_SLOTS;
        barrier();
#ifndef NO_WAIT
        reader_state[0] != CRITICAL;
        reader_state[1] != CRITICAL
#endif
    :: else
    fi
}

#define delivers(one) (reader_state[one] != IDLE)
#define sees(one) (delivers(one) && began[one] <= number)
#define has_retired (number != NONE)

inline destroy() { atomic { assert(!destroyed && running == 0); destroyed = true; number = NONE } }

/* reclaim, and unpin. */
inline reclaim() {
    if
    :: has_retired && !pinned && !sees(0) && !sees(1) -> destroy()
    :: else
    fi
}

/* take: no slot is in doubt. */
inline take() {
    if
    :: placed ->
        placed = false;
#ifdef NO_RETIRING
        if :: pinned -> number = retired; retired++ :: else -> destroy() fi
#else
        if :: pinned || delivers(0) || delivers(1) -> number = retired; retired++ :: else -> destroy() fi
#endif
    :: else
    fi
}

/* The state keeps what the deliveries that go on have to see. */
inline endDelivery() {
    if
    :: (state & CLOSED) && !delivers(0) && !delivers(1) -> living = false; take(); closing = true
    :: else -> if :: has_retired :: else -> state = state & ~(WORK | REVALIDATE) fi
    fi
}

/* Core.end of a delivery. The lock is held, and flushes. */
inline end_delivery(me) {
    closing = false;
    reader_state[me] = IDLE;
    if
    :: (state & ~IN_SLOTS) == 0
    :: else ->
        revoke();
        state = state & ~AWAITED;
        reclaim();
        endDelivery()
    fi
}

/* With the last reference the core goes. What is retired by then would be lost. */
inline die() { atomic { assert(alive && !delivers(0) && !delivers(1)); assert(!has_retired || pinned); alive = false } }

inline finish() { if :: closing -> die() :: else fi }

/* Core.close, where the last owner gives the core up. */
inline give_up(me) {
    atomic { gave_up = true; owners--; isLast = owners == 0 };
    if
    :: isLast ->
        acquire(me);
        revoke();
        state = state | CLOSED | WORK;
        if
        :: delivers(0) || delivers(1) -> release(me)
        :: else -> living = false; take(); release(me); die()
        fi
    :: else
    fi
}

/* offer, note and revalidate. */
inline offer(me) {
    if
    :: placed ->
        store(me, false, true);
        if
#ifdef NO_LOOK_CALL
        :: true ->
#else
        :: !(state & (REVALIDATE | AWAITED)) || living ->
#endif
            atomic { assert(alive && !destroyed && !quiet); running++ };
            if :: sent == SENDS && !gave_up -> give_up(me) :: true fi;
            atomic { assert(alive && !destroyed); running-- }
        :: else
        fi
    :: else
    fi
}

inline send_slowly(me) {
    acquire(me);
    if
    :: state & CLOSED -> release(me)
    :: else ->
        /* countUnorderedSend */
        if :: state == 0 -> state = IN_SLOTS :: true fi;
        reader_state[me] = DELIVERING;
        began[me] = retired;
        release(me);
        offer(me);
        acquire(me);
        end_delivery(me);
        release(me);
        finish()
    fi
}

inline leave_lane(me) {
    store(me, true, DELIVERING);
    acquire(me);
    end_delivery(me);
    release(me);
    finish()
}

active [SENDERS] proctype sender() {
    byte sent = 0, value;
    bool isBusy, closing, isLast, gave_up = false;
    do
    :: sent < SENDS ->
        sent++;
        assert(alive);
        if
        :: state == IN_SLOTS ->
            store(_pid, true, DELIVERING);
            if
#ifdef NO_LOOK_ENTER
            :: true ->
#else
            :: state == IN_SLOTS ->
#endif
                offer(_pid);
                store(_pid, true, CRITICAL);
                if
#ifndef NO_LOOK_LEAVE
                :: state != IN_SLOTS -> leave_lane(_pid)
                :: state == IN_SLOTS ->
#else
                :: true ->
#endif
                    store(_pid, true, IDLE)
                fi
            :: else ->
                leave_lane(_pid);
                send_slowly(_pid)
            fi
        :: else -> send_slowly(_pid)
        fi
    :: else -> break
    od;
    if :: !gave_up -> give_up(_pid) :: else fi
}

/* The buffers empty themselves. */
active proctype memory() {
    byte value;
    bool isBusy;
end:
    do
    :: atomic { nempty(buffer0) -> buffer0 ? isBusy, value; reach(0, isBusy, value) }
    :: atomic { nempty(buffer1) -> buffer1 ? isBusy, value; reach(1, isBusy, value) }
    od
}

active proctype stopper() {
    byte value;
    bool isBusy, isLast, gave_up = false, isOver = false;
    /* ObservationID.stop */
    acquire(STOPPER);
    revoke();
    if
    :: living ->
        living = false;
        state = state | REVALIDATE | WORK;
        if :: pinned = true :: true fi; /* stopAndWait, or stop */
        take();
        if :: has_retired :: else -> state = state & ~(REVALIDATE | WORK) fi
    :: else
    fi;
    release(STOPPER);
    /* waitForHandler */
    if :: pinned -> flush_all() :: else -> isOver = true fi;
    do
    :: isOver -> break
    :: else ->
        acquire(STOPPER);
        revoke();
        if
        :: (delivers(0) && current[0]) || (delivers(1) && current[1]) ->
            state = state | AWAITED;
            flush_all();
            release(STOPPER);
            /* announce */
            !(state & AWAITED)
        :: else -> isOver = true; pinned = false; reclaim(); quiet = true; release(STOPPER)
        fi
    od;
    give_up(STOPPER)
}

active proctype watcher() {
    /* At the end, the context of the handler has been destroyed. */
    !alive;
    assert(destroyed && running == 0)
}
