// SPDX-License-Identifier: MIT

// Names of the published code for what has another name here.

/// The author of a message can be any object.
public typealias AnyAuthor = AnyObject

/// Another name for ``Var``.
public typealias Variable = Var

/// Another name for ``AdHocObservation``.
public typealias ObservationTransformer = AdHocObservation
