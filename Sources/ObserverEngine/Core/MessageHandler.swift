// SPDX-License-Identifier: MIT

import CPlatform

/// A handler, and how messages of its kind wait.
///
/// The engine is generic over this, so that a Swift closure and a C function with its context are
/// both called without anything in between.
public protocol MessageHandler {
    /// A message as a handler receives it; it may borrow what it points at.
    associatedtype Message
    /// A message that owns all it needs, because it has to wait in the queue.
    associatedtype Stored
    /// The one who caused a message.
    associatedtype Author

    /// A handler that does nothing. It takes the place of one that was stopped.
    static var tombstone: Self { get }

    func receive(_ message: Message, _ author: Author)

    /// The object that is an observable for its users, where it is not its variable: what depends on it keeps that alive.
    static func owner(of core: AnyCore) -> UnsafeMutableRawPointer?

    /// The author, as probes and traces have it.
    static func address(of author: Author) -> UnsafeRawPointer?

    /// What kind of observable a core is of, in words.
    static func withKind<Result>(of core: AnyCore, _ body: (UnsafePointer<CChar>) -> Result) -> Result

    /// A change has been noted: for debuggers to stop in.
    static func changed(_ core: AnyCore, _ name: UnsafePointer<CChar>?)

    /// Tells a cause what values a message has (`platform_cause_tell`). Runs foreign code, perhaps.
    static func tell(_ cause: OpaquePointer?, _ message: Message)

    /// Releases what the handler holds, after its last call. No lock is held.
    func end(_ destroy: Destroy?)

    /// Copies a message for the queue; `nil` if there is no memory for it. No lock is held.
    static func copy(_ message: Message) -> Stored?

    /// Calls `body` with a message that has waited.
    static func withMessage(_ waiting: borrowing Stored, _ body: (Message) -> Void)
}

extension MessageHandler {
    @inlinable public static func owner(of core: AnyCore) -> UnsafeMutableRawPointer? { nil }
    @inlinable public static func address(of author: Author) -> UnsafeRawPointer? { nil }
    @inlinable public static func changed(_ core: AnyCore, _ name: UnsafePointer<CChar>?) {}

    #if hasFeature(Embedded)
        public static func withKind<Result>(of core: AnyCore, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
            let text: StaticString = "observable"
            return body(UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self))
        }

        public static func tell(_ cause: OpaquePointer?, _ message: Message) {}
    #else
        public static func withKind<Result>(of core: AnyCore, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
            (core.kind.map { String(describing: unsafeBitCast($0, to: Any.Type.self)) } ?? "observable")
                .withCString(body)
        }

        public static func tell(_ cause: OpaquePointer?, _ message: Message) {
            if let update = message as? any AnyUpdate {
                platform_cause_tell(cause, strdup(update.texts.old), strdup(update.texts.new))
            } else {
                platform_cause_tell(cause, nil, strdup(String(describing: message)))
            }
        }
    #endif
}

#if !hasFeature(Embedded)
    /// The message of a variable, whatever its value is.
    public protocol AnyUpdate {
        var texts: (old: String, new: String) { get }
    }
#endif
