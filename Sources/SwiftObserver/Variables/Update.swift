// SPDX-License-Identifier: MIT

import ObserverEngine

/// The message of a variable: its value before and after, `old` and `new`.
///
/// The two are equal when the present value is sent without a change. Where the value is `Equatable`
/// an update is too, and says whether it `isChange`.
public typealias Update = ObserverEngine.Update
