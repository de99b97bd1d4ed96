// SPDX-License-Identifier: MIT

import ObserverEngine
import Testing
import TestSupport

@Suite struct EndingTests {
    @Test func theContextIsDestroyedOnceWhenTheObservationIsStopped() {
        let observed = Observed(), context = Context()
        let id = begin(observed, context)
        #expect(context.destroyed == 0)
        id.stop()
        #expect(context.destroyed == 1)
        id.stop()
        #expect(context.destroyed == 1)
    }

    @Test func theContextIsDestroyedOnceWhenTheCoreIsClosed() {
        let context = Context()
        var observed: Observed? = Observed()
        let id = begin(observed!, context)
        observed = nil
        #expect(context.destroyed == 1)
        #expect(!id.isLiving)
    }

    @Test(arguments: [true, false])
    func theContextIsDestroyedAfterTheHandlerThatStopsItself(inOrder: Bool) {
        let observed = Observed(), context = Context()
        observed.core.maintainsMessageOrder = inOrder
        var id: ObservationID?
        var seen: [Int] = []
        id = begin(observed, context) {
            id?.stop()
            id?.stopAndWait()
            seen.append(context.destroyed)
        }
        observed.send(1)
        #expect(seen == [0])
        #expect(context.destroyed == 1)
    }

    /// What is released under the lock would wait for ever for that very lock.
    @Test(arguments: [true, false])
    func whatAHandlerHoldsIsReleasedWithoutTheLock(inOrder: Bool) {
        let observed = Observed()
        observed.core.maintainsMessageOrder = inOrder
        var deaths = 0
        var id: ObservationID?
        id = observe(
            observed,
            holding: Mortal { [core = observed.core] in
                _ = core.send(2, author: "test")
                deaths += 1
            }
        ) { id?.stop() }
        observed.send(1)
        #expect(deaths == 1)
    }

    private func observe(_ observed: Observed, holding object: Mortal, _ body: @escaping () -> Void) -> ObservationID {
        observed.observe { _ in withExtendedLifetime(object) { body() } }
    }

    @Test func theContextIsDestroyedOnceWhenAnotherThreadStopsAndWaits() {
        let observed = Observed()
        let entered = Gate()
        nonisolated(unsafe) let context = Context()
        let core = observed.core
        let id = begin(observed, context) { entered.open() }
        let sending = onOtherThread { _ = core.send(1, author: "test") }
        entered.pass()
        id.stopAndWait()
        sending.pass()
        #expect(context.destroyed == 1)
    }

    @Test func closingDuringADeliveryFinishesItFirst() {
        let core = Core<TestHandler>(), context = Context()
        var received: [Int] = []
        _ = core.observe(
            TestHandler { message, _ in
                if message == 1 {
                    _ = core.send(2, author: "test")
                    core.close()
                }
            })
        _ = core.observe(
            TestHandler(context: Unmanaged.passUnretained(context).toOpaque()) { message, _ in
                received.append(message)
                #expect(context.destroyed == 0)
            }, destroy: Context.destroy)
        _ = core.send(1, author: "test")
        #expect(received == [1, 2])
        #expect(context.destroyed == 1)
        #expect(core.send(3, author: "test") == .sent)
        #expect(received == [1, 2])
    }

    @Test func closingLeavesNoCore() {
        weak var core: Core<TestHandler>?
        func use() {
            let observed = Observed()
            core = observed.core
            for inOrder in [true, false] {
                observed.core.maintainsMessageOrder = inOrder
                observed.observe { _ in }
                observed.send(1)
            }
        }
        use()
        #expect(core == nil)
    }

    private func begin(_ observed: Observed, _ context: Context, _ body: @escaping () -> Void = {}) -> ObservationID {
        observed.core.observe(
            TestHandler(context: Unmanaged.passUnretained(context).toOpaque()) { _, _ in body() },
            destroy: Context.destroy)
    }

    private final class Context {
        var destroyed = 0
        static let destroy: Destroy = { Unmanaged<Context>.fromOpaque($0!).takeUnretainedValue().destroyed += 1 }
    }
}
