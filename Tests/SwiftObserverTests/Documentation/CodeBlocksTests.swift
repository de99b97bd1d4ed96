// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TestSupport

/// The code in the articles stands word for word in the tests beside this file, where it is compiled and run.
@Suite("Documentation") struct CodeBlocksTests {
    @Test(arguments: [
        "GettingStarted", "OrderAndThreads", "Lifetimes", "Operators", "TestingCodeThatObserves",
        "ComingFromSwiftObserver6", "SwiftObserver", "WaitingForMessages", "WorkOnDemand",
        "ChoosingWhereMessagesAreReceived", "DerivedVariables",
    ])
    func theCodeOfAnArticleIsRunByATest(_ article: String) throws {
        let left = try codeThatIsNotRun(
            of: "Sources/SwiftObserver/SwiftObserver.docc/\(article).md",
            by: "Tests/SwiftObserverTests/Documentation/\(article)Tests.swift")
        #expect(left == [])
    }

    @Test func everyArticleIsCompared() throws {
        let catalogue = checkout.appending(path: "Sources/SwiftObserver/SwiftObserver.docc")
        let articles = try FileManager.default.contentsOfDirectory(atPath: catalogue.path).filter {
            $0.hasSuffix(".md")
        }
        #expect(articles.count == 11)
    }
}
