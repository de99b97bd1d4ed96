// SPDX-License-Identifier: MIT
// Fifty expressions over every pair of what can be calculated with. None may have the compiler try 2000 ways to check it;
// today's compilers try fewer than 200.

import SwiftObserver

func calculate(
    int: Int, maybeInt: Int?, intVar: Var<Int>, maybeIntVar: Var<Int?>, intVarMaybe: Var<Int>?, maybeBoth: Var<Int?>?,
    double: Double, maybeDouble: Double?, doubleVar: Var<Double>, maybeDoubleVar: Var<Double?>, float: Var<Float?>?,
    text: String, maybeText: String?, textVar: Var<String>, maybeTextVar: Var<String?>?
) {
    _ = int - maybeInt - intVar
    _ = int * intVar * maybeIntVar
    _ = int / maybeIntVar / intVarMaybe
    _ = int + intVarMaybe + maybeBoth
    _ = int - maybeBoth - int
    _ = maybeInt - int * intVar
    _ = maybeInt * maybeInt / maybeIntVar
    _ = maybeInt / intVar + intVarMaybe
    _ = maybeInt + maybeIntVar - maybeBoth
    _ = maybeInt - intVarMaybe * int
    _ = maybeInt * maybeBoth / maybeInt
    _ = intVar * int + maybeIntVar
    _ = intVar / maybeInt - intVarMaybe
    _ = intVar + intVar * maybeBoth
    _ = intVar - maybeIntVar / int
    _ = intVar * intVarMaybe + maybeInt
    _ = intVar / maybeBoth - intVar
    _ = maybeIntVar / int * intVarMaybe
    _ = maybeIntVar + maybeInt / maybeBoth
    _ = maybeIntVar - intVar + int
    _ = maybeIntVar * maybeIntVar - maybeInt
    _ = maybeIntVar / intVarMaybe * intVar
    _ = maybeIntVar + maybeBoth / maybeIntVar
    _ = intVarMaybe + int + maybeBoth
    _ = intVarMaybe - maybeInt - int
    _ = intVarMaybe * intVar * maybeInt
    _ = double - maybeDouble + maybeDouble
    _ = double * doubleVar / maybeDouble
    _ = double / maybeDoubleVar * maybeDouble
    _ = maybeDouble - double - doubleVar
    _ = maybeDouble * maybeDouble + doubleVar
    _ = maybeDouble / doubleVar / doubleVar
    _ = maybeDouble + maybeDoubleVar * doubleVar
    _ = doubleVar * double - maybeDoubleVar
    _ = doubleVar / maybeDouble + maybeDoubleVar
    _ = doubleVar + doubleVar / maybeDoubleVar
    _ = doubleVar - maybeDoubleVar * maybeDoubleVar
    _ = maybeDoubleVar / double - double
    _ = maybeDoubleVar + maybeDouble + double
    _ = maybeDoubleVar - doubleVar / double
    _ = text + maybeText + maybeTextVar
    _ = text + textVar + text
    _ = text + maybeTextVar + maybeText
    _ = maybeText + text + textVar
    _ = maybeText + maybeText + maybeTextVar
    _ = maybeText + textVar + text
    _ = float + 1.5 * 2
    intVar <- intVar + maybeInt * 3
    maybeIntVar.int += 5 + intVar * 2
    doubleVar <- 1.5 * doubleVar + maybeDoubleVar / 2.0
}
