# SPDX-License-Identifier: MIT
# The Debian packages and their test. Included by the Makefile.
#
#   SUITES      the Debian releases that `make test-package` installs the packages in (bookworm)

DEB := $(BUILD)/deb
DEB_KIND := binary
SUITES ?= bookworm

# What git knows or would add; in a folder without git, what is not hidden and was not built.
package_sources = { if [ -e .git ]; then git -c safe.directory='*' ls-files -co --exclude-standard; \
	else find * -path $(BUILD) -prune -o -name __pycache__ -prune -o -name '.?*' -prune -o -type f -print; fi; }
# A compiler that does not come from apt cannot satisfy a build dependency.
package_profile = $(if $(shell dpkg-query -W -f '$${db:Status-Abbrev}' swiftlang 2>/dev/null | grep ^ii),,-Ppkg.swiftobserver.localswift)

.PHONY: deb test-install test-package test-building test-consumers test-spaces
# dpkg-buildpackage writes into the source folder and the one above it: it gets a copy, and none of make's variables.
# PATH begins with Debian's own tools, for another Python in it cannot build Debian's Python package.
deb: ## builds the Debian packages into build/deb
	$(Q)$(NEED) build-essential debhelper dh-python pybuild-plugin-pyproject python3-all python3-hatchling
	$(Q)rm -rf $(DEB) && mkdir -p $(DEB)/source
	$(Q)$(package_sources) | while read -r file; do [ ! -e "$$file" ] || echo "$$file"; done | tar -c -T - | tar -x -C $(DEB)/source
	$(Q)cd $(DEB)/source && env -u MAKEFLAGS -u MAKEOVERRIDES -u MAKELEVEL PATH="/usr/bin:/bin:$$PATH" \
		dpkg-buildpackage -us -uc --build=$(DEB_KIND) $(package_profile) > ../build.log 2>&1 || { cat ../build.log >&2; exit 1; }
	$(Q)ls $(DEB)/*.deb
	@echo "To install them: sudo apt-get install ./$(DEB)/*.deb"

test-install: deb ## installs, tests and purges the packages in a view of this machine that is thrown away
	$(Q)Tests/Package/install.sh

test-package: deb ## tests the packages: strict checkers, then a clean Debian without Swift
	$(Q)$(NEED) blhc debootstrap devscripts lintian
	$(Q)Tests/Package/lint.sh
	$(Q)Tests/Package/clean-root.sh $(SUITES)

test-building: ## builds and installs as people do: as an ordinary user, without Python, elsewhere; and its documentation
	$(Q)Tests/Package/building.sh

test-consumers: lib ## builds the first programs with an installation, by make, CMake, Meson and valac
	$(Q)$(NEED) cmake g++ libglib2.0-dev meson ninja-build pkg-config valac
	$(Q)Tests/Package/consumers.sh

test-spaces: ## builds and installs where paths have spaces in them
	$(Q)Tests/Package/spaces.sh
