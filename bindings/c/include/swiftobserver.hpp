// SPDX-License-Identifier: MIT
/** @file swiftobserver.hpp
 *  Objects observe other objects: SwiftObserver from C++17 on, in headers alone.
 *
 *      #include <swiftobserver.hpp>
 *
 *      swo::messenger<std::string_view> names;
 *      swo::observation greeting = names.observe([](std::string_view name) {
 *          std::cout << "hello, " << name << '\n';
 *      });
 *      names.send("world");                                             // hello, world
 *
 *      swo::variable<int> celsius(20);
 *      swo::observer display;                                           // keeps what it observes with
 *      display.observe(celsius.new_values().filter([](int degrees) { return degrees >= 30; }),
 *                      [](int degrees) { std::cout << degrees << " degrees!\n"; });
 *      celsius.set(30);                                                 // 30 degrees!
 *
 *      swo::variable<double> width(2), height(3);
 *      swo::derived area([&] { return width.get() * height.get(); });   // computed when it is read or observed
 *      swo::transaction([&] { width.set(4), height.set(5); });          // one change, on every thread
 *
 *      swo::messenger<int, int> moves;                                  // a parameter for each part
 *      auto at_rest = moves.debounce(300ms, swo::clock(loop));          // of a swo::queue
 *      auto both = swo::combine_latest(width.new_values(), moves);      // zip(), scan(), switch_to_latest() ...
 *      auto binding = swo::bind_both(celsius, fahrenheit, to_fahrenheit, to_celsius);
 *
 *  What swiftobserver.h promises holds here: order, threads, stopping. Each type owns one thing of C and ends it with
 *  itself; `raw()` lends that to functions of C, with which everything can be mixed. It costs what C costs.
 *
 *  - Lifetimes: an `observation` ends with itself, those of an `observer` with that, which waits until their handlers
 *    are not running on other threads. Neither keeps the observable, but a temporary that is observed belongs to the
 *    observation. A handler can be given with the object that it is about, in a std::weak_ptr or a std::shared_ptr.
 *  - Exceptions: a handler may throw. The other handlers still receive, and the send that delivers the message rethrows
 *    what was thrown; where there is no send in C++ to reach, see observable::observe(). What one call does not rethrow
 *    is gone with it.
 *  - Libraries: a program and the libraries that it loads, whatever they hide, have the same types and exceptions.
 *  - Without exceptions (-fno-exceptions) what fails ends the process with a sentence; run-time types are not needed.
 *
 *  Coming from Boost.Signals2, sigslot, Qt or GLib: see coming-from.md. For GCC and Clang; link with
 *  `pkg-config --cflags --libs swiftobserver`.
 */
#ifndef SWIFTOBSERVER_HPP
#define SWIFTOBSERVER_HPP

#if !defined(__cplusplus) || __cplusplus < 201703L
#error "swiftobserver.hpp needs C++17; swiftobserver.h takes C++11"
#else

#include <swiftobserver/cpp/awaiting.hpp>
#include <swiftobserver/cpp/blocking.hpp>
#include <swiftobserver/cpp/calling.hpp>
#include <swiftobserver/cpp/clock.hpp>
#include <swiftobserver/cpp/combining.hpp>
#include <swiftobserver/cpp/delivery.hpp>
#include <swiftobserver/cpp/derived.hpp>
#include <swiftobserver/cpp/effect.hpp>
#include <swiftobserver/cpp/failing.hpp>
#include <swiftobserver/cpp/message.hpp>
#include <swiftobserver/cpp/messenger.hpp>
#include <swiftobserver/cpp/moments.hpp>
#include <swiftobserver/cpp/observable.hpp>
#include <swiftobserver/cpp/observation.hpp>
#include <swiftobserver/cpp/observer.hpp>
#include <swiftobserver/cpp/variable.hpp>

#endif
#endif
