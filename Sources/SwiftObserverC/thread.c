/* SPDX-License-Identifier: MIT */
/* What is kept of a thread for the C++ headers. The model is the one that needs nothing of the dynamic linker. */
#include <swiftobserver/runtime.h>

__thread swo_thread swo_this_thread;
