// SPDX-License-Identifier: MIT

/// All of them, in the order in which the table has them.
let vocabularies: [any Vocabulary] = [
    SwiftObserverVocabulary(),
    WeakObserverVocabulary(),
    SwiftObserver5Vocabulary(),
    SteinsKitVocabulary(),
    MiniRexVocabulary(),
    ReceiverVocabulary(),
]

/// Those for which a law is tested here.
func vocabularies(under law: Int) -> [any Vocabulary] {
    vocabularies.filter { $0.scope(of: law) == .tested }
}
