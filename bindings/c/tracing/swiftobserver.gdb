# SPDX-License-Identifier: MIT
# Commands for gdb, of which none calls into a program that has not been stopped:
#
#     gdb -x swiftobserver.gdb ./program
#     (gdb) swo-break width          stops where an observable that is named so changes
#     (gdb) run
#     (gdb) swo-why                  why the observable of that stop has changed, or that of an expression
#
# SWIFTOBSERVER_WHY lets the library keep what is asked for: what values are allowed to be seen by a debugger.
set environment SWIFTOBSERVER_WHY values
set breakpoint pending on

define swo-break
    break swo_changed if $_streq((const char *)name, "$arg0")
end
document swo-break
Stops where an observable of a name changes: swo-break NAME. No handler has been called then; backtrace shows who changes it.
end

define swo-why
    set $swo_text = (char (*)[48])malloc(48)
    if $argc == 0
        set $swo_status = (int)swo_why((void *)observable, 0, $swo_text)
    else
        set $swo_status = (int)swo_why((void *)$arg0, 0, $swo_text)
    end
    if $swo_status == 0
        printf "%s", *(char **)((char *)$swo_text + 8)
        call (void)swo_value_clear($swo_text)
    end
    call (void)free($swo_text)
end
document swo-why
Says why an observable has changed: that of the stop in swo_changed, or swo-why OBSERVABLE.
end
