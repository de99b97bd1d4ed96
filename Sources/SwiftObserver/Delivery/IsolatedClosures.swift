// SPDX-License-Identifier: MIT

// What takes a closure takes it as `@Sendable @isolated(any)`, and lets it inherit the actor. So the compiler sees to both: a
// closure that is formed on an actor may use what belongs there, and its `isolation` says so; any other shares nothing
// with the thread that formed it but what is `Sendable`.
//
// The compiler has such a closure called with `await`, because it cannot know whether the caller is on the actor. Here the
// caller is (`ActorDelivery`), so `called` takes the word off the type. The two types differ in what the compiler checks, not in
// how a closure is kept and called. Each stands in a structure: as a generic argument a function type has another
// convention, for which the compiler would put a closure around the closure, one more call for each message.
//
// The actor is part of such a closure, which therefore keeps it. Worse, the compiler (6.3) miscounts where the closure captures that
// actor `unowned`, as it does in `Task { [unowned self] in ... }`: the actor is released once more than it was
// retained. So these are for global actors, and `Observer+Actor` takes the closures of other actors as they are.

/// Ends the program where a closure belongs to an actor that is not a global one.
@inlinable
func requireFit(_ home: (any Actor)?) {
    if let home { requireGlobal(home) }
}

@usableFromInline
func requireGlobal(_ home: any Actor) {
    precondition(
        home is any GlobalActor,
        """
        a closure uses the state of an actor that is neither global nor the observer: let the actor be the observer, or name \
        it: observer.observe(observable, on: actor) { actor, message in ... }
        """)
}

@usableFromInline
struct FormedNullary {
    @usableFromInline let closure: @Sendable @isolated(any) () -> Void
    @inlinable init(_ closure: @escaping @Sendable @isolated(any) () -> Void) { self.closure = closure }
}

@usableFromInline
struct CalledNullary {
    @usableFromInline let closure: () -> Void
}

@inlinable
func called(_ closure: @escaping @Sendable @isolated(any) () -> Void) -> () -> Void {
    requireFit(closure.isolation)
    return unsafeBitCast(FormedNullary(closure), to: CalledNullary.self).closure
}

@usableFromInline
struct FormedUnary<A> {
    @usableFromInline let closure: @Sendable @isolated(any) (A) -> Void
    @inlinable init(_ closure: @escaping @Sendable @isolated(any) (A) -> Void) { self.closure = closure }
}

@usableFromInline
struct CalledUnary<A> {
    @usableFromInline let closure: (A) -> Void
}

@inlinable
func called<A>(_ closure: @escaping @Sendable @isolated(any) (A) -> Void) -> (A) -> Void {
    requireFit(closure.isolation)
    return unsafeBitCast(FormedUnary(closure), to: CalledUnary<A>.self).closure
}

@usableFromInline
struct FormedBinary<A, B> {
    @usableFromInline let closure: @Sendable @isolated(any) (A, B) -> Void
    @inlinable init(_ closure: @escaping @Sendable @isolated(any) (A, B) -> Void) { self.closure = closure }
}

@usableFromInline
struct CalledBinary<A, B> {
    @usableFromInline let closure: (A, B) -> Void
}

@inlinable
func called<A, B>(_ closure: @escaping @Sendable @isolated(any) (A, B) -> Void) -> (A, B) -> Void {
    requireFit(closure.isolation)
    return unsafeBitCast(FormedBinary(closure), to: CalledBinary<A, B>.self).closure
}

@usableFromInline
struct FormedTernary<A, B, C> {
    @usableFromInline let closure: @Sendable @isolated(any) (A, B, C) -> Void
    @inlinable init(_ closure: @escaping @Sendable @isolated(any) (A, B, C) -> Void) { self.closure = closure }
}

@usableFromInline
struct CalledTernary<A, B, C> {
    @usableFromInline let closure: (A, B, C) -> Void
}

@inlinable
func called<A, B, C>(_ closure: @escaping @Sendable @isolated(any) (A, B, C) -> Void) -> (A, B, C) -> Void {
    requireFit(closure.isolation)
    return unsafeBitCast(FormedTernary(closure), to: CalledTernary<A, B, C>.self).closure
}

@usableFromInline
struct FormedMapping<A, Result> {
    @usableFromInline let closure: @Sendable @isolated(any) (A) -> Result
    @inlinable init(_ closure: @escaping @Sendable @isolated(any) (A) -> Result) { self.closure = closure }
}

@usableFromInline
struct CalledMapping<A, Result> {
    @usableFromInline let closure: (A) -> Result
}

@inlinable
func called<A, Result>(_ closure: @escaping @Sendable @isolated(any) (A) -> Result) -> (A) -> Result {
    requireFit(closure.isolation)
    return unsafeBitCast(FormedMapping(closure), to: CalledMapping<A, Result>.self).closure
}

@usableFromInline
struct FormedTrying<A, Result> {
    @usableFromInline let closure: @Sendable @isolated(any) (A) throws -> Result
    @inlinable init(_ closure: @escaping @Sendable @isolated(any) (A) throws -> Result) { self.closure = closure }
}

@usableFromInline
struct CalledTrying<A, Result> {
    @usableFromInline let closure: (A) throws -> Result
}

@inlinable
func called<A, Result>(
    throwing closure: @escaping @Sendable @isolated(any) (A) throws -> Result
) -> (A) throws -> Result {
    requireFit(closure.isolation)
    return unsafeBitCast(FormedTrying(closure), to: CalledTrying<A, Result>.self).closure
}

@usableFromInline
struct FormedJoining<A, B, Result> {
    @usableFromInline let closure: @Sendable @isolated(any) (A, B) -> Result
    @inlinable init(_ closure: @escaping @Sendable @isolated(any) (A, B) -> Result) { self.closure = closure }
}

@usableFromInline
struct CalledJoining<A, B, Result> {
    @usableFromInline let closure: (A, B) -> Result
}

@inlinable
func called<A, B, Result>(_ closure: @escaping @Sendable @isolated(any) (A, B) -> Result) -> (A, B) -> Result {
    requireFit(closure.isolation)
    return unsafeBitCast(FormedJoining(closure), to: CalledJoining<A, B, Result>.self).closure
}

@usableFromInline
struct FormedPredicate<A> {
    @usableFromInline let closure: @Sendable @isolated(any) (A) -> Bool
    @inlinable init(_ closure: @escaping @Sendable @isolated(any) (A) -> Bool) { self.closure = closure }
}

@usableFromInline
struct CalledPredicate<A> {
    @usableFromInline let closure: (A) -> Bool
}

@inlinable
func called<A>(_ closure: @escaping @Sendable @isolated(any) (A) -> Bool) -> (A) -> Bool {
    requireFit(closure.isolation)
    return unsafeBitCast(FormedPredicate(closure), to: CalledPredicate<A>.self).closure
}

@usableFromInline
struct FormedRelation<A, B> {
    @usableFromInline let closure: @Sendable @isolated(any) (A, B) -> Bool
    @inlinable init(_ closure: @escaping @Sendable @isolated(any) (A, B) -> Bool) { self.closure = closure }
}

@usableFromInline
struct CalledRelation<A, B> {
    @usableFromInline let closure: (A, B) -> Bool
}

@inlinable
func called<A, B>(_ closure: @escaping @Sendable @isolated(any) (A, B) -> Bool) -> (A, B) -> Bool {
    requireFit(closure.isolation)
    return unsafeBitCast(FormedRelation(closure), to: CalledRelation<A, B>.self).closure
}

/// The same for a closure with more parameters. What the compiler puts around the closure here costs little beside what
/// fetches so many messages.
@usableFromInline
struct FormedAny<each A> {
    @usableFromInline let closure: @Sendable @isolated(any) (repeat each A) -> Void
    @inlinable init(_ closure: @escaping @Sendable @isolated(any) (repeat each A) -> Void) { self.closure = closure }
}

@usableFromInline
struct CalledAny<each A> {
    @usableFromInline let closure: (repeat each A) -> Void
}

@inlinable
func calledWithAny<each A>(
    _ closure: @escaping @Sendable @isolated(any) (repeat each A) -> Void
) -> (repeat each A) -> Void {
    requireFit(closure.isolation)
    return unsafeBitCast(FormedAny(closure), to: CalledAny<repeat each A>.self).closure
}

@usableFromInline
struct FormedAnyMapping<Result, each A> {
    @usableFromInline let closure: @Sendable @isolated(any) (repeat each A) -> Result
    @inlinable init(_ closure: @escaping @Sendable @isolated(any) (repeat each A) -> Result) { self.closure = closure }
}

@usableFromInline
struct CalledAnyMapping<Result, each A> {
    @usableFromInline let closure: (repeat each A) -> Result
}

@inlinable
func calledWithAny<Result, each A>(
    _ closure: @escaping @Sendable @isolated(any) (repeat each A) -> Result
) -> (repeat each A) -> Result {
    requireFit(closure.isolation)
    return unsafeBitCast(FormedAnyMapping(closure), to: CalledAnyMapping<Result, repeat each A>.self).closure
}
