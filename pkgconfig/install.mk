# SPDX-License-Identifier: MIT
# What make install puts where, and what finds it there. Included by the Makefile.

.PHONY: install install-lib install-relay install-debug-lib install-headers install-pc install-man install-python uninstall
install: install-lib install-relay install-headers install-pc install-man install-python ## installs library, headers, .pc, man pages and Python package
	@$(if $(DESTDIR),:,pkgconfig/after-install.sh $(SONAME) "$(LIBDIR)" "$(PKGCONFIGDIR)" $(PYTHON) "$(PYTHONDIR)")

install-lib: lib
	$(INSTALL) -d "$(DESTDIR)$(LIBDIR)"
	$(INSTALL_DATA) $(LIBRARY) "$(DESTDIR)$(LIBDIR)/"
	ln -sf $(notdir $(LIBRARY)) "$(DESTDIR)$(LIBDIR)/$(SONAME)"
	ln -sf $(SONAME) "$(DESTDIR)$(LIBDIR)/libswiftobserver.so"
	$(if $(filter embedded,$(RUNTIME)),$(INSTALL_DATA) $(ARCHIVE) "$(DESTDIR)$(LIBDIR)/")

install-debug-lib: debug-lib ## installs the debugging library beside the other
	$(INSTALL) -d "$(DESTDIR)$(LIBDIR)"
	$(INSTALL_DATA) $(DEBUG_LIBRARY) "$(DESTDIR)$(LIBDIR)/"
	ln -sf $(notdir $(DEBUG_LIBRARY)) "$(DESTDIR)$(LIBDIR)/libswiftobserver-debug.so.$(ABI)"
	ln -sf libswiftobserver-debug.so.$(ABI) "$(DESTDIR)$(LIBDIR)/libswiftobserver-debug.so"

install-relay: relay
	$(INSTALL) -d "$(DESTDIR)$(LIBDIR)"
	$(INSTALL_DATA) $(RELAY_LIBRARY) "$(DESTDIR)$(LIBDIR)/"
	ln -sf $(notdir $(RELAY_LIBRARY)) "$(DESTDIR)$(LIBDIR)/$(RELAY_SONAME)"
	ln -sf $(RELAY_SONAME) "$(DESTDIR)$(LIBDIR)/libswiftobserver-relay.so"

install-headers:
	$(INSTALL) -d "$(DESTDIR)$(INCLUDEDIR)/swiftobserver/cpp"
	$(INSTALL_DATA) $(HEADER) $(filter %/swiftobserver.hpp,$(CPP_HEADERS)) "$(DESTDIR)$(INCLUDEDIR)/"
	$(INSTALL_DATA) $(filter bindings/c/include/swiftobserver/cpp/%,$(CPP_HEADERS)) "$(DESTDIR)$(INCLUDEDIR)/swiftobserver/cpp/"
	$(INSTALL_DATA) $(filter-out $(HEADER),$(HEADERS)) $(RELAY_HEADER) $(ADAPTERS) $(ADAPTERS_OF_CPP) "$(DESTDIR)$(INCLUDEDIR)/swiftobserver/"

install-pc:
	@rm -f $(PKGCONFIG) $(RELAY_PKGCONFIG) && $(MAKE) --no-print-directory $(PKGCONFIG) $(RELAY_PKGCONFIG)
	$(INSTALL) -d "$(DESTDIR)$(PKGCONFIGDIR)"
	$(INSTALL_DATA) $(PKGCONFIG) $(RELAY_PKGCONFIG) "$(DESTDIR)$(PKGCONFIGDIR)/"
	$(INSTALL) -d "$(DESTDIR)$(CMAKEDIR)" "$(DESTDIR)$(VAPIDIR)"
	for file in swiftobserver-config swiftobserver-config-version; do \
		sed -e 's|@VERSION@|$(VERSION)|' -e 's|@SONAME@|$(SONAME)|' -e 's|@RELAY_SONAME@|$(RELAY_SONAME)|' \
			-e "s|@INCLUDE_FROM_LIB@|$$(realpath -m --relative-to="$(LIBDIR)" "$(INCLUDEDIR)")|" \
			pkgconfig/$$file.cmake.in > $(OUT)/$$file.cmake; done
	$(INSTALL_DATA) $(OUT)/swiftobserver-config.cmake $(OUT)/swiftobserver-config-version.cmake "$(DESTDIR)$(CMAKEDIR)/"
	$(INSTALL_DATA) bindings/c/vapi/swiftobserver.vapi "$(DESTDIR)$(VAPIDIR)/"

install-man: $(MAN)/swiftobserver.3
	$(INSTALL) -d "$(DESTDIR)$(MANDIR)/man3" "$(DESTDIR)$(MANDIR)/man7"
	$(INSTALL_DATA) $(MAN)/*.3 "$(DESTDIR)$(MANDIR)/man3/"
	$(INSTALL_DATA) $(MAN)/*.7 "$(DESTDIR)$(MANDIR)/man7/"

install-python:
	there=$$(realpath -m "$(DESTDIR)$(PYTHONDIR)") && cd bindings/python/src && \
		find swiftobserver pytest_swiftobserver.py -name __pycache__ -prune -o -type f -print | \
		while read -r file; do $(INSTALL_DATA) -D "$$file" "$$there/$$file" || exit 1; done

uninstall: ## removes what install installed
	rm -f "$(DESTDIR)$(LIBDIR)"/{libswiftobserver.so,$(SONAME),$(notdir $(LIBRARY)),libswiftobserver.a,libswiftobserver-debug.so*} "$(DESTDIR)$(PKGCONFIGDIR)"/swiftobserver{,-relay}.pc
	rm -f "$(DESTDIR)$(LIBDIR)"/{libswiftobserver-relay.so,$(RELAY_SONAME),$(notdir $(RELAY_LIBRARY))}
	rm -f "$(DESTDIR)$(MANDIR)"/{man3/swiftobserver*.3,man3/swo_*.3,man3/SWO_*.3,man7/swiftobserver*.7}
	rm -f "$(DESTDIR)$(VAPIDIR)/swiftobserver.vapi"
	rm -rf "$(DESTDIR)$(CMAKEDIR)" "$(DESTDIR)$(INCLUDEDIR)"/swiftobserver{,.h,.hpp} "$(DESTDIR)$(PYTHONDIR)"/{swiftobserver,pytest_swiftobserver.py}
