# SPDX-License-Identifier: MIT
# The library of relays, beside libswiftobserver, whose C interface alone it uses. Included by the Makefile.

RELAY_HEADER := include/swiftobserver/relay.h
RELAY_SONAME := libswiftobserver-relay.so.$(ABI)
RELAY_LIBRARY := $(OUT)/libswiftobserver-relay.so.$(VERSION)
RELAY_PKGCONFIG := $(OUT)/swiftobserver-relay.pc
RELAY_SHIMS := $(wildcard Sources/CRelay/*.c)
RELAY_SHIM_HEADERS := $(wildcard Sources/CRelay/*.h Sources/CRelay/include/*)
# One module: what is in the first folder is specialized for what is in the second.
RELAY_SOURCES := $(sort $(wildcard Sources/ObserverRelay/*/*.swift Sources/ObserverRelay/*/*/*.swift Sources/SwiftObserverRelayC/*.swift))
RELAY_OBJECTS := $(RELAY_SHIMS:Sources/CRelay/%.c=$(OUT)/objects/relay/%.o) $(OUT)/objects/relay/relay.o \
	$(OUT)/objects/failing.o $(OUT)/objects/memory.o

$(OUT)/objects/relay/%.o: Sources/CRelay/%.c $(RELAY_SHIM_HEADERS) Makefile Sources/relay.mk | $(OUT)/compilers-found
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -I Sources/CRelay/include -c $< -o $@

$(OUT)/objects/relay/relay.o: $(RELAY_SOURCES) $(RELAY_SHIM_HEADERS) $(HEADER) $(RELAY_HEADER) $(wildcard Sources/CSwiftObserverRelay/*) Makefile Sources/relay.mk | $(OUT)/compilers-found
	@mkdir -p $(@D)
	$(Q)$(SWIFTC) $(SWIFTFLAGS) -module-name SwiftObserverRelayC -I Sources/CRelay/include -I Sources/CSwiftObserverRelay \
		-c $(RELAY_SOURCES) -o $@
	$(Q)$(OBJCOPY) $(OWN_MEMORY) $@

declared_by_relay = sed -n 's/^SWO_API .*\<\(swo_[a-z0-9_]*\)(.*/\1/p' $(RELAY_HEADER) | sort

$(OUT)/relay-exports.map: $(RELAY_HEADER) Sources/relay.mk
	@mkdir -p $(@D)
	$(Q){ echo 'SWIFTOBSERVER_RELAY_$(ABI) {'; echo 'global:'; $(declared_by_relay) | sed 's/.*/    &;/'; echo 'local: *;'; echo '};'; } > $@

RELAY_LDFLAGS = $(subst $(SONAME),$(RELAY_SONAME),$(subst $(OUT)/exports.map,$(OUT)/relay-exports.map,$(LDFLAGS)))

$(RELAY_LIBRARY): $(RELAY_OBJECTS) $(OUT)/relay-exports.map $(OUT)/libswiftobserver.so
	$(Q)$(CC) -shared $(CFLAGS) $(RELAY_LDFLAGS) $(RELAY_OBJECTS) -L $(OUT) -lswiftobserver $(RUNTIME_LIBS) -lpthread -ldl -lm -o $@

$(OUT)/libswiftobserver-relay.so: $(RELAY_LIBRARY)
	$(Q)ln -sf $(<F) $(OUT)/$(RELAY_SONAME)
	$(Q)ln -sf $(RELAY_SONAME) $@

$(RELAY_PKGCONFIG): pkgconfig/swiftobserver-relay.pc.in $(HEADER) Makefile
	@mkdir -p $(@D)
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
		-e 's|@VERSION@|$(VERSION)|' $< > $@

.PHONY: relay
relay: $(OUT)/libswiftobserver-relay.so ## builds libswiftobserver-relay.so, which takes observables to other machines
	@$(if $(filter relay,$(MAKECMDGOALS)),printf '%s\n' $(RELAY_LIBRARY),:)
