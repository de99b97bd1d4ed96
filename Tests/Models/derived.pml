/* SPDX-License-Identifier: MIT */
/* A model of how threads share variables, derived variables and transactions: Sources/ObserverEngine/Derived in Promela, for
 * spin. Laws 26 to 35.
 *
 * Region 0 has the variables a and b, and a derived variable over them: 4a, and where a is odd 4a + b. So its dependencies
 * change. Regions 1 and 2 have y and w, whose sum is one at every moment. What only one region guards changes in one step
 * while the region is entered; the epoch, the pins and the count of pinned views are atomic, and any thread may look between
 * two steps.
 *
 * The processes, each told how often (0: not at all):
 *   SETS_A, SETS_B   set a and b, by read, compare, assign; and handle turns, if nobody else does
 *   SWAPS            transactions that take one of y and give it to w, blindly, of two threads if MOVES is not 0
 *   MOVES            the same by a transaction that has read both: its commit compares
 *   RUNS             functions of another derived variable, which read a, b, y, w, then a, y again and the derived variable
 *   READS            reads of the derived variable from outside
 *   CHANGES          observers that stop and begin again
 *   BIAS             region 0 is biased to the thread that sets a, and again whenever that takes the lock
 *   CLOSES           the program releases b when a is 2 for ever
 *
 * check.sh runs these, and each step left out, which must be an error. */
#ifndef SETS_A
#define SETS_A 0
#endif
#ifndef SETS_A2 /* of another thread */
#define SETS_A2 0
#endif
#ifndef SETS_B
#define SETS_B 0
#endif
#ifndef SWAPS
#define SWAPS 0
#endif
#ifndef MOVES
#define MOVES 0
#endif
#ifndef RUNS
#define RUNS 0
#endif
#ifndef READS
#define READS 0
#endif
#ifndef CHANGES
#define CHANGES 0
#endif

#ifdef BIAS
#define WITH_MEMORY 1
#else
#define WITH_MEMORY 0
#endif
#define LIVE 0
#define VIEWS 4
#define PASSER 0 /* views: of who handles turns, */
#define FIRST 1  /* and of the other processes */
#define SECOND 2
#define THIRD 3
#define MAX 4    /* versions of a variable */
#define A 0
#define B 1
#define Y 2
#define W 3
#define REGION(x) ((x) < Y -> 0 : (x) - 1)
#define OF(a, b) (4 * (a) + ((a) % 2 -> (b) : 0))

byte epoch = 1, pinned = 0;
bool lock[3], leaf;                 /* of the regions; of the pins */
byte inside[3];                     /* how many threads are in a region */
byte pin[VIEWS], verified[VIEWS];
bool linked[VIEWS * 3];

typedef Variable { byte now; byte value[MAX]; byte stamp[MAX]; bool kept[MAX] };
Variable v[4];

/* The derived variable. Clean: observed, and not suspect; not observed, and checked at the present clock. It is due from when
 * the passer takes it out of the queue to when its update has been sent. */
bool observed = true, suspect, pending, due, passing, delivering, depends_on_b;
byte clock = 1, checked, value, stamp = 1, result_at = 1, sent, heard, updates, turns;
#define CLEAN (observed -> !suspect : checked == clock)

/* What its function was at each moment, for who reads. */
byte moment, of_moment[SETS_A + SETS_A2 + SETS_B + 1];

#ifdef CLOSES
byte owners = 2;                    /* of b: the program, and who sets it */
bool freed;
byte waiting;                       /* which views may still look at it: it is in limbo */
bool in_limbo;
#endif

/* ---- regions */

#ifdef BIAS
#define BIASED 1
byte bias = BIASED;
bool place;                         /* in memory: whether the biased thread says that it is in region 0 */
chan buffer = [4] of { bool };      /* what it has stored, and memory does not have */
active proctype Memory() { end: do :: atomic { nempty(buffer) -> buffer ? place } od }
inline flush() { do :: nempty(buffer) -> buffer ? place :: empty(buffer) -> break od }
#endif

inline enter(r) {
#ifdef BIAS
    guest = false;
    if
    :: r == 0 && thread == BIASED ->
        buffer ! true;
        if                          /* this look may overtake the store */
        :: atomic { bias == BIASED -> guest = true; inside[0]++; assert(inside[0] == 1) }
        :: else ->
#ifndef STAYS
            buffer ! false
#else
            skip
#endif
        fi
    :: else
    fi;
    if
    :: guest
    :: else ->
        atomic { !lock[r] -> lock[r] = true; if :: thread == BIASED -> flush() :: else fi };
        if
        :: r == 0 && thread == BIASED -> bias = BIASED
        :: r == 0 && thread != BIASED && bias == BIASED ->
            bias = 0;
#ifndef NO_FENCE
            atomic { flush() };
#endif
#ifndef NO_WAIT
            !place
#else
            skip
#endif
        :: else
        fi;
        atomic { inside[r]++; assert(inside[r] == 1) }
    fi
#else
    atomic { !lock[r] -> lock[r] = true; inside[r]++ }
#endif
}

inline leave(r) {
#ifdef BIAS
    if
    :: atomic { guest -> guest = false; inside[0]-- }; buffer ! false
    :: atomic { else -> inside[r]--; lock[r] = false }
    fi
#else
    atomic { inside[r]--; lock[r] = false }
#endif
}

/* ---- views */

/* Pins the views that are live in a region, which is entered: first the count, then the tick, then the pin. */
inline pin_views(r) {
    skip;
#ifndef NO_PIN
    one = 0; ticked = 0;
    do
    :: atomic { one == VIEWS -> break }
    :: one < VIEWS && linked[one * 3 + r] && pin[one] == LIVE ->
        if
        :: ticked == 0 -> atomic { !leaf -> leaf = true }; pinned++; epoch++; ticked = epoch
        :: else -> pinned++
        fi;
        atomic {
            if
            :: pin[one] == LIVE -> pin[one] = ticked
            :: else -> pinned--
            fi;
            one++
        }
    :: atomic { one < VIEWS && !(linked[one * 3 + r] && pin[one] == LIVE) -> one++ }
    od;
    if :: ticked != 0 -> leaf = false :: else fi
#endif
}

inline begin_view(me) { d_step { pin[me] = LIVE; verified[me] = epoch } }
inline end_view(me) {
    i = 0;
    do
    :: atomic { i == 3 -> break }
    :: i < 3 && linked[me * 3 + i] ->
        enter(i);
        atomic {
            linked[me * 3 + i] = false;
#ifdef CLOSES
            if
            :: i == 0 && in_limbo ->
                waiting = waiting & ~(1 << me);
                if :: waiting == 0 -> in_limbo = false; freed = true :: else fi
            :: else
            fi
#endif
        };
        leave(i);
        i++
    :: atomic { i < 3 && !linked[me * 3 + i] -> i++ }
    od;
    atomic { !leaf -> if :: pin[me] != LIVE -> pinned-- :: else fi }
}

/* Learns whether a tick since `verified` has pinned this: a commit that is about to has done so when these can be entered. */
inline verify(me) {
    seen_epoch = epoch;
#ifndef NO_REFRESH
    i = 0;
    do
    :: atomic { i == 3 -> break }
    :: i < 3 && linked[me * 3 + i] -> enter(i); leave(i); i++
    :: atomic { i < 3 && !linked[me * 3 + i] -> i++ }
    od;
#endif
    verified[me] = seen_epoch
}

/* Reads x; its region stays entered. `which` is the version that the view sees. */
inline read_in(me, x, out) {
    do
    :: enter(REGION(x));
        if
        :: pin[me] == LIVE ->
            linked[me * 3 + REGION(x)] = true;
            if
            :: v[x].stamp[v[x].now] > verified[me] -> leave(REGION(x)); verify(me)
            :: else -> break
            fi
        :: else -> break
        fi
    od;
    skip;
    d_step {
#ifdef CLOSES
        assert(x != B || !freed);
#endif
        which = v[x].now;
        do
        :: pin[me] != LIVE && v[x].stamp[which] >= pin[me] && which > 0 -> which--
        :: else -> break
        od;
#ifdef NO_HISTORY
        if :: which != v[x].now && !v[x].kept[which] -> which = v[x].now :: else fi;
#endif
        assert(which == v[x].now || v[x].kept[which]);
        out = v[x].value[which]
    }
}
inline read(me, x, out) { read_in(me, x, out); leave(REGION(x)) }

/* ---- changes */

/* x gets a value; its region is entered and has its views pinned. */
inline assign(x, new, at) {
    d_step {
#ifndef NO_HISTORY
        v[x].kept[v[x].now] = (pinned > 0);
#endif
        v[x].now++;
        v[x].value[v[x].now] = new; v[x].stamp[v[x].now] = at;
        if
        :: x < Y ->
            clock++;
            moment++;
            of_moment[moment] = OF(v[A].value[v[A].now], v[B].value[v[B].now]);
            turns++;
            if
            :: observed && !suspect && (x == A || depends_on_b) -> suspect = true; pending = !due
            :: else
            fi
        :: else
        fi
    }
}

/* Becomes the one that handles turns. Region 0 is entered. */
inline want_passer() {
    d_step {
        mine = pending && !passing;
        if :: mine -> passing = true :: else fi
    }
}

/* ---- the derived variable */

#ifdef CLOSES
/* An owner of b less: what views may still look at is freed when they have ended. Region 0 is entered. */
inline release_b() {
    owners--;
    if
    :: owners == 0 ->
        waiting = 0;
        for (k : 0 .. VIEWS - 1) { if :: linked[k * 3] -> waiting = waiting | (1 << k) :: else fi };
#ifdef NO_LIMBO
        waiting = 0;
#endif
        if :: waiting == 0 -> freed = true :: else -> in_limbo = true fi
    :: else
    fi
}
#endif

/* Runs the function in a view, and publishes the result. Leaves region 0 entered. */
inline compute(me) {
    read(me, A, of_a);
    reads_b = of_a % 2;
    of_b = 0;
    if
    :: reads_b ->
        read_in(me, B, of_b);
#ifdef CLOSES
        owners++;                   /* the record of the run */
#endif
        leave(0)
    :: else
    fi;
    result = OF(of_a, of_b);
    enter(0);
    d_step {
        if
        :: pin[me] == LIVE ->
            if :: observed -> suspect = false :: else -> checked = clock fi;
            value = result; stamp = epoch; result_at = epoch + 1; keeps = true
#ifdef SPOILS
        :: pin[me] != LIVE ->
#else
        /* Of a view that is pinned it is stored where there is nothing better, for observers hear something even if those
         * who set never pause. But a clean one must not become suspect. */
        :: pin[me] != LIVE && pin[me] >= result_at && !CLEAN ->
#endif
#ifdef CLEAN_ALTHOUGH_PINNED
            suspect = false;
            checked = clock;
#else
            if :: observed -> suspect = true :: else -> checked = 0 fi;
#endif
            value = result; result_at = pin[me]; keeps = true
        :: else -> keeps = false
        fi;
#ifdef CLOSES
        if :: reads_b && (!keeps || depends_on_b) -> release_b() :: else fi;
        if :: keeps && depends_on_b && !reads_b -> release_b() :: else fi;
#endif
#ifndef NOT_RELINKED
        if :: keeps -> depends_on_b = reads_b :: else fi
#endif
    }
}

/* Settles the derived variable in a view. Leaves region 0 entered; `result` is its value in this view. */
inline settle(me) {
    do
    :: enter(0);
        if
        :: pin[me] == LIVE ->
            linked[me * 3] = true;
            if
            :: stamp > verified[me] -> leave(0); verify(me)
            :: else -> break
            fi
        :: else -> break
        fi
    od;
    if
    :: CLEAN && (pin[me] == LIVE || stamp < pin[me]) -> result = value
    :: else ->
#ifdef CLOSES
        /* What it steps on, while others relink. */
        keeps = depends_on_b;
        leave(0);
        enter(0);
        assert(!keeps || !freed);
#endif
        leave(0);
        compute(me)
    fi
}

/* Handles turns until there are none. */
inline pass() {
    do
    :: enter(0);
        if
        :: !pending ->
#ifdef PASSER_LEAVES_LATE
            leave(0); passing = false;
#else
            passing = false; leave(0);
#endif
            break
        :: else ->
            d_step { pending = false; due = observed };
            if
            :: !due -> leave(0)
            :: else ->
                leave(0);
                begin_view(PASSER);
                settle(PASSER);
                leave(0);
                end_view(PASSER);
                enter(0);
                d_step {
                    old = sent; is_due = observed && old != value;
                    if :: is_due -> sent = value :: else fi;
                    result = value
                };
                leave(0);
                if
                :: is_due ->
                    atomic { assert(!delivering); delivering = true };
                    atomic {
                        if
                        :: observed && heard == old -> heard = result; updates++; assert(updates <= turns)
                        :: else -> assert(CHANGES > 0) /* a new observer begins with a later value */
                        fi
                    };
                    delivering = false
                :: else
                fi;
                enter(0);
                d_step {
                    due = false;
#ifndef NOT_QUEUED_AGAIN
                    /* A commit has overlapped, or another thread has computed it. */
                    if :: observed && (suspect || sent != value) -> pending = true :: else fi
#endif
                };
                leave(0)
            fi
        fi
    od
}

/* ---- processes */

#define COMPUTING byte of_a, of_b, result, which, i, k, one, ticked, old, seen_epoch; bool reads_b, keeps, mine, is_due, guest

proctype Setter(byte thread; byte x; byte times) {
    byte done, seen, before, at;
    COMPUTING;
    do
    :: done == times -> break
    :: else ->
        enter(0); seen = v[x].now; before = v[x].value[seen]; leave(0);
        enter(0);
        if
#ifndef NO_VALIDATION
        :: v[x].now != seen -> leave(0)         /* another thread was faster: compare and compute again */
        :: else ->
#else
        :: true ->
#endif
            pin_views(0);
            at = epoch;
            assign(x, before + 1, at);
            want_passer();
            leave(0);
            done++;
            if :: mine -> pass() :: else fi
        fi
    od;
#ifdef CLOSES
    enter(0);
    d_step { release_b() };
    leave(0)
#endif
}

/* Takes one of y, gives it to w, without having read them. */
proctype Swap(byte thread) {
    byte at, of_y, of_w, one, ticked, done;
    bool guest;
    do
    :: done == SWAPS -> break
    :: else ->
        enter(1); enter(2);
        of_y = v[Y].value[v[Y].now]; of_w = v[W].value[v[W].now];
#ifdef PIN_AFTER
        at = epoch;
        assign(Y, of_y + 1, at);
        pin_views(1); pin_views(2);
#else
        pin_views(1); pin_views(2);
        at = epoch;
        assign(Y, of_y + 1, at);
#endif
#ifdef TWO_STAMPS
        at = epoch;
#endif
        assign(W, of_w - 1, at);
        leave(2); leave(1);
        done++
    od
}

/* The same where the new values are made of what a view has read. */
proctype Move(byte thread; byte me) {
    byte of_y, of_w, seen_y, seen_w, at, which, i, one, ticked, seen_epoch, done;
    bool guest;
    do
    :: done == MOVES -> break
    :: else ->
        begin_view(me);
        read(me, Y, of_y); seen_y = which;
        read(me, W, of_w); seen_w = which;
        assert((of_y + of_w) % 256 == 1);
        enter(1); enter(2);
        if
#ifndef NO_CONFLICT
        :: v[Y].now != seen_y || v[W].now != seen_w -> leave(2); leave(1) /* nothing has happened: again */
        :: else ->
#else
        :: true ->
#endif
            d_step { linked[me * 3 + 1] = false; linked[me * 3 + 2] = false }; /* its own view need not be pinned by it */
            pin_views(1); pin_views(2);
            at = epoch;
            assign(Y, of_y + 1, at);
            assign(W, of_w - 1, at);
            leave(2); leave(1);
            done++
        fi;
        end_view(me)
    od
}

proctype Function(byte thread; byte me) {
    byte again, of_y, y_again, of_w, a_read, b_read, done;
    COMPUTING;
    do
    :: done == RUNS -> break
    :: else ->
        begin_view(me);
        if :: SETS_A > 0 -> read(me, A, a_read) :: else fi;
        if :: SETS_B > 0 -> read(me, B, b_read) :: else fi;
        if :: SWAPS + MOVES > 0 -> read(me, Y, of_y); read(me, W, of_w); assert((of_y + of_w) % 256 == 1) :: else fi; /* no mixture */
        if :: SETS_A > 0 -> read(me, A, again); assert(a_read == again) :: else fi;
        if :: SWAPS + MOVES > 0 -> read(me, Y, y_again); assert(of_y == y_again) :: else fi;
        if :: SETS_B > 0 -> settle(me); leave(0); assert(result == OF(a_read, b_read)) :: else fi; /* of the same moment */
        end_view(me);
        done++
    od
}

/* Gets the function of one moment between the call and its return. */
proctype Reader(byte thread; byte me) {
    byte done, from;
    COMPUTING;
    do
    :: done == READS -> break
    :: else ->
        from = moment;
        begin_view(me);
        settle(me);
        leave(0);
        end_view(me);
        d_step {
            is_due = false;
            for (k : from .. moment) { if :: of_moment[k] == result -> is_due = true :: else fi };
            assert(is_due)
        };
        done++
    od
}

/* The last observer goes, and another one comes. */
proctype Observer(byte thread; byte me) {
    byte done;
    COMPUTING;
    do
    :: done == CHANGES -> break
    :: else ->
        enter(0);
        d_step { checked = (suspect -> 0 : clock); observed = false; suspect = false };
        leave(0);
        begin_view(me);
        settle(me);
        d_step {
#ifdef TAKEN_FOR_CLEAN
            suspect = false;
#else
            suspect = (checked != clock);
#endif
            observed = true;
            sent = value; heard = value;
            if :: suspect && !due -> pending = true :: else fi
        };
        want_passer();
        leave(0);
        end_view(me);
        if :: mine -> pass() :: else fi;
        done++
    od
}

init {
    atomic {
        v[A].stamp[0] = 1; v[B].stamp[0] = 1; v[Y].stamp[0] = 1; v[W].stamp[0] = 1;
        v[W].value[0] = 1;
        if :: SETS_A > 0 -> run Setter(1, A, SETS_A) :: else fi;
        if :: SETS_A2 > 0 -> run Setter(2, A, SETS_A2) :: else fi;
        if :: SETS_B > 0 -> run Setter(3, B, SETS_B) :: else fi;
        if :: SWAPS > 0 -> run Swap(4) :: else fi;
        if :: MOVES > 0 -> run Move(5, FIRST); run Move(6, SECOND) :: else fi;
        if :: RUNS > 0 -> run Function(7, THIRD) :: else fi;
        if :: READS > 0 -> run Reader(8, FIRST) :: else fi;
        if :: CHANGES > 0 -> run Observer(9, SECOND) :: else fi
    };
    (_nr_pr == 1 + WITH_MEMORY);
    assert(v[A].value[v[A].now] == SETS_A + SETS_A2 && v[B].value[v[B].now] == SETS_B); /* no set is lost */
    assert(v[Y].value[v[Y].now] == SWAPS + 2 * MOVES);                                   /* and no transaction */
    assert(pinned == 0);
#ifdef CLOSES
    assert(!in_limbo)
#endif
}

/* What is dirty is computed in the end, and heard of. With one derived variable, a second passer would do no harm, because what
 * is due is not queued: that it is one, which the order of several needs, this model does not say. */
#define ALL_SET (v[A].now == SETS_A + SETS_A2 && v[B].now == SETS_B)
ltl in_the_end { [] (ALL_SET -> <> (!observed || (heard == of_moment[moment] && !suspect))) }
