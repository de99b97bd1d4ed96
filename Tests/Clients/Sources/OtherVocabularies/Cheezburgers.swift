// SPDX-License-Identifier: MIT
// As one writes with Receiver.

import Receiver

final class Kitchen {
    private let transmitter: Receiver<Int>.Transmitter
    let receiver: Receiver<Int>

    init() {
        let (transmitter, receiver) = Receiver<Int>.make(with: .warm(upTo: 1))
        self.transmitter = transmitter
        self.receiver = receiver
    }

    func serve(_ cheezburgers: Int) { transmitter.broadcast(cheezburgers) }
}

@MainActor func runCheezburgers() {
    let kitchen = Kitchen(), bag = DisposeBag()
    kitchen.serve(1)
    kitchen.receiver.listen { cheezburgers in print("can I haz", cheezburgers) }.disposed(by: bag)
    kitchen.receiver.skipRepeats().withPrevious().listen { before, now in print(before ?? 0, "then", now) }
    let first: Disposable = kitchen.receiver.take(count: 1).listen(to: { print("first", $0) })
    kitchen.serve(2)
    first.dispose()
}
