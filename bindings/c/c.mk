# SPDX-License-Identifier: MIT
# The examples in C and C++, and the man pages. Included by the Makefile.

# An example is a file, or a folder of files.
EXAMPLE_FILES := $(wildcard bindings/c/examples/*.c)
CPP_EXAMPLES := $(patsubst bindings/c/examples/%.cpp,$(OUT)/examples/%,$(wildcard bindings/c/examples/*.cpp))
EXAMPLE_FOLDERS := $(patsubst bindings/c/examples/%/,%,$(wildcard bindings/c/examples/*/))
# What these need beyond the C library: they are built where that is, by the tests.
GLIB_EXAMPLES := $(OUT)/examples/tally
PYTHON_EXAMPLES := $(OUT)/examples/plugin
EXAMPLES := $(filter-out $(GLIB_EXAMPLES) $(PYTHON_EXAMPLES),$(EXAMPLE_FILES:bindings/c/examples/%.c=$(OUT)/examples/%) $(EXAMPLE_FOLDERS:%=$(OUT)/examples/%))
# A newer compiler warns of more; WERROR= lets it.
WERROR ?= -Werror
WARNINGS := -Wall -Wextra $(WERROR)
LINK_LIBRARY = $(if $(INSTALLED),$(shell pkg-config --libs swiftobserver),-L $(OUT) -lswiftobserver "-Wl,-rpath,$(CURDIR)/$(OUT)")

.PHONY: examples
examples: $(EXAMPLES)

$(GLIB_EXAMPLES): EXAMPLE_LIBRARIES = $(shell pkg-config --cflags --libs glib-2.0)
$(PYTHON_EXAMPLES): EXAMPLE_LIBRARIES = $(shell pkg-config --cflags --libs python3-embed)

$(OUT)/examples/%: bindings/c/examples/%.c $(HEADERS) $(ADAPTERS) $(OUT)/libswiftobserver.so
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -O2 -g $(WARNINGS) $(INCLUDES) $< $(LINK_LIBRARY) -o $@

# C++20, for coroutines; the others take C++17.
$(CPP_EXAMPLES): $(OUT)/examples/%: bindings/c/examples/%.cpp $(HEADERS) $(ADAPTERS) $(CPP_HEADERS) $(OUT)/libswiftobserver.so
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=$(if $(filter %/awaiting,$@),c++20,c++17) -O2 -g -pedantic $(WARNINGS) $(INCLUDES) $< $(LINK_LIBRARY) -lpthread -o $@

.SECONDEXPANSION:
$(EXAMPLE_FOLDERS:%=$(OUT)/examples/%): $(OUT)/examples/%: $$(wildcard bindings/c/examples/$$*/*) $(HEADERS) $(ADAPTERS) $(OUT)/libswiftobserver.so
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -O2 -g $(WARNINGS) $(INCLUDES) $(filter %.c,$^) $(LINK_LIBRARY) $(EXAMPLE_LIBRARIES) -lpthread -o $@

# ------------------------------------------------------------------------------ man pages

# Section 3 is what the headers say, section 7 what they do not.
MAN := $(BUILD)/man

.PHONY: man
man: $(MAN)/swiftobserver.3 ## writes the man pages into build/man

$(MAN)/swiftobserver.3: $(wildcard bindings/c/man/*) $(HEADERS) $(RELAY_HEADER) $(ADAPTERS) Makefile
	@rm -rf $(MAN)
	$(Q)$(PYTHON) bindings/c/man/generate.py $(VERSION) $(MAN) $(HEADERS) $(RELAY_HEADER) $(ADAPTERS)
	$(Q)cp bindings/c/man/*.7 $(MAN)/

