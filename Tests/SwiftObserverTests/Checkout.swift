// SPDX-License-Identifier: MIT

import Foundation

/// The top of the checkout.
let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
