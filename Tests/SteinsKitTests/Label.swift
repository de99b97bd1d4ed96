// SPDX-License-Identifier: MIT

/// An observer, as the document of SteinsKit has one.
final class Label {
    var text = ""
    var texts: [String] = []
}
