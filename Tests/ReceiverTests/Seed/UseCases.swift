// SPDX-License-Identifier: MIT

import Receiver
import Testing

@Suite("Receiver: reader and writer are two") struct UseCases {
    enum ApplicationLifecycle {
        case didFinishLaunching
        case didBecomeActive
        case didEnterBackground
    }

    final class AppDelegate {
        private var transmitter: Receiver<ApplicationLifecycle>.Transmitter!

        func didFinishLaunching(_ pass: (Receiver<ApplicationLifecycle>) -> Void) {
            let (transmitter, receiver) = Receiver<ApplicationLifecycle>.make()
            self.transmitter = transmitter
            pass(receiver)
            transmitter.broadcast(.didFinishLaunching)
        }

        func didEnterBackground() { transmitter.broadcast(.didEnterBackground) }
        func didBecomeActive() { transmitter.broadcast(.didBecomeActive) }
    }

    @Test func aLifecycleIsTracked() {
        let delegate = AppDelegate()
        var tracked: [ApplicationLifecycle] = []
        delegate.didFinishLaunching { $0.listen { tracked.append($0) } }
        delegate.didEnterBackground()
        delegate.didBecomeActive()
        #expect(tracked == [.didFinishLaunching, .didEnterBackground, .didBecomeActive])
    }

    enum ControllerLifecycle { case viewDidLoad, viewDidAppear, viewDidDisappear }

    final class ViewModel {
        private(set) var seen: [ControllerLifecycle] = []
        init(with receiver: Receiver<ControllerLifecycle>) {
            receiver.listen { [weak self] in self?.seen.append($0) }
        }
    }

    final class ViewController {
        let viewModel: ViewModel
        private let transmitter: Receiver<ControllerLifecycle>.Transmitter

        init(viewModel: ViewModel, transmitter: Receiver<ControllerLifecycle>.Transmitter) {
            self.viewModel = viewModel
            self.transmitter = transmitter
        }

        func live() {
            transmitter.broadcast(.viewDidLoad)
            transmitter.broadcast(.viewDidAppear)
            transmitter.broadcast(.viewDidDisappear)
        }
    }

    /// Only the transmitter holds the receiver.
    @Test func aControllerIsNeverAwareOfTheReceiver() {
        func makeController() -> ViewController {
            let (transmitter, receiver) = Receiver<ControllerLifecycle>.make()
            return ViewController(viewModel: ViewModel(with: receiver), transmitter: transmitter)
        }
        let controller = makeController()
        controller.live()
        #expect(controller.viewModel.seen == [.viewDidLoad, .viewDidAppear, .viewDidDisappear])
    }
}
