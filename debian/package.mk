# SPDX-License-Identifier: MIT
# The Debian packages and their test. Included by the Makefile.
#
#   SUITES        the Debian releases that `make test-package` installs the packages in
#   DEB_HOST      the architecture that `make deb` builds for, as Debian calls it (arm64, ...); without it this one
#   MAINTAINER    "Name <address>" instead of that in debian/control, for a distributor who builds packages of his own
#   HOMEPAGE      the same for the address of the project, which is that of its repository as well; both are placeholders: see
#                 debian/README.source
#   DEB_VERSION   the version that the packages get, instead of the changelog's
#   KEY           the secret key of gpg's that signs the apt repository, instead of one that is made for it
#   DEBS          the packages of the apt repository
#   MATRIX        what `make matrix` builds and tests: releases, architectures and compilers
#   DEB_BUILD_OPTIONS=nocheck    without the packages' own test suites

DEB := $(BUILD)/deb
DEB_KIND := binary
DEB_HOST :=
SUITES ?= bookworm trixie
MAINTAINER ?=
HOMEPAGE ?=
DEB_VERSION ?=
KEY ?=
MATRIX_HERE := bookworm:amd64:own trixie sid
MATRIX ?= $(MATRIX_HERE) trixie:arm64 trixie:riscv64:own trixie:armhf:own trixie:i386:own
DEBS ?= $(wildcard $(DEB)/*.deb)

# A compiler that does not come from apt cannot satisfy a build dependency.
package_profiles = $(if $(shell dpkg-query -W -f '$${db:Status-Abbrev}' swiftlang 2>/dev/null | grep ^ii),,pkg.swiftobserver.localswift) \
	$(filter nocheck,$(DEB_BUILD_OPTIONS)) $(if $(DEB_HOST),cross nocheck)
profile_options = $(addprefix -P,$(subst $(space),$(comma),$(strip $(package_profiles) $(1))))
packaged = $(shell sed -n 's/^$(1): //p' debian/control)
# What the packages are tested with while they are built.
PACKAGE_CHECKERS = g++ $(shell sed -n 's/.* \([a-z0-9.+-]*\) <!nocheck>,*$$/\1/p' debian/control)

.PHONY: deb deb-source apt-repo test-install test-package test-new-users matrix matrix-here test-reproducible test-building test-consumers test-spaces
# dpkg-buildpackage writes into the source folder and the one above it: it gets a copy.
deb-source: dist
	$(Q)rm -rf $(DEB) && mkdir -p $(DEB)/source
	$(Q)cp $(DIST) $(DEB)/swiftobserver_$(VERSION).orig.tar.xz
	$(Q)tar -xf $(DIST) --strip-components=1 -C $(DEB)/source && cp -a debian $(DEB)/source/
	$(Q)$(if $(MAINTAINER),grep -rlF '$(call packaged,Maintainer)' $(DEB)/source/debian | xargs sed -i 's|$(call packaged,Maintainer)|$(MAINTAINER)|')
	$(Q)$(if $(HOMEPAGE),grep -rlF '$(call packaged,Homepage)' $(DEB)/source/debian | xargs sed -i 's|$(call packaged,Homepage)|$(HOMEPAGE)|')
	$(Q)$(if $(DEB_VERSION),sed -i '1s|(.*)|($(DEB_VERSION))|' $(DEB)/source/debian/changelog)

# It gets none of make's variables. PATH begins with Debian's own tools, for another Python in it cannot build Debian's Python
# package. pybuild takes no path with a space in it: there, the sources are moved to where there is none, and the packages back.
deb: deb-source ## builds the Debian packages into build/deb
	$(Q)[ ! '$(DEB_HOST)' ] || dpkg --print-foreign-architectures | grep -qx '$(DEB_HOST)' \
		|| { echo "make: dpkg knows no packages of $(DEB_HOST): 'dpkg --add-architecture $(DEB_HOST)', then 'apt-get update'" >&2; exit 1; }
	$(Q)$(NEED) build-essential debhelper dh-python pkgconf pybuild-plugin-pyproject python3-all python3-hatchling \
		$(if $(filter nocheck,$(package_profiles)),,$(PACKAGE_CHECKERS)) $(if $(DEB_HOST),crossbuild-essential-$(DEB_HOST) libc6:$(DEB_HOST))
	$(call tell,Building the packages and running their tests: two minutes or three. What that prints goes into $(DEB)/build.log.)
	$(Q)room=$(DEB); case "$$PWD" in *[[:space:]]*) room=$$(mktemp -d); trap 'rm -rf "$$room"' EXIT; mv $(DEB)/source $(DEB)/*.orig.tar.xz "$$room";; esac; \
		(cd "$$room/source" && env -u MAKEFLAGS -u MAKEOVERRIDES -u MAKELEVEL PATH="/usr/bin:/bin:$$PATH" \
		"$(CURDIR)"/$(call showing,building the packages) dpkg-buildpackage -us -uc --build=$(DEB_KIND) $(addprefix -a,$(DEB_HOST)) $(call profile_options)) > $(DEB)/build.log 2>&1 && built=yes || built=; \
		[ "$$room" = $(DEB) ] || mv "$$room"/* $(DEB)/; \
		[ "$$built" ] || { echo "make: the packages cannot be built; the end of $(DEB)/build.log is:" >&2; tail -n 20 $(DEB)/build.log >&2; exit 1; }
	$(Q)ls $(DEB)/*.deb
	@echo "To install them: sudo apt-get install ./$(DEB)/*.deb"

apt-repo: ## writes a signed apt repository of the packages that make deb has built into build/apt-repo
	$(Q)$(NEED) gnupg reprepro
	$(Q)debian/apt-repo.sh $(BUILD)/apt-repo '$(KEY)' $(DEBS)
	@echo "To add it:  sudo cp $(BUILD)/apt-repo/swiftobserver.asc /etc/apt/keyrings/  and"
	@echo "            sudo cp $(BUILD)/apt-repo/swiftobserver.sources /etc/apt/sources.list.d/  where URIs says where the repository is"

# Their suites have run by then: `make test` runs them, and `make test-package` lets the package run them.
test-install: deb ## installs, tests and purges the packages in a view of this machine that is thrown away
	$(Q)$(NEED) libmosquitto1 mosquitto
	$(Q)Tests/Package/install.sh

# Debian 13 and sid have a compiler; other releases and most other architectures take that of this machine.
matrix: ## builds and tests in clean roots of Debian's releases, with their compilers, and under qemu; then the table in CONTRIBUTING.md
	$(Q)$(NEED) autopkgtest mmdebstrap piuparts qemu-user-static
	$(Q)Tests/Package/compilers.sh $(MATRIX) || failed=yes; Tests/Package/matrix.sh $(BUILD)/matrix CONTRIBUTING.md; [ ! "$${failed-}" ]

matrix-here: MATRIX = $(MATRIX_HERE)
matrix-here: matrix ## the rows of the matrix that this machine runs without qemu

test-package: deb ## tests the packages: strict checkers, then a clean Debian without Swift
	$(Q)$(NEED) blhc devscripts gnupg lintian mmdebstrap reprepro
	$(Q)Tests/Package/lint.sh
	$(Q)DEB_BUILD_OPTIONS=nocheck $(MAKE) --no-print-directory deb DEB=$(BUILD)/deb-before DEB_VERSION=$(VERSION)-0 > /dev/null
	$(Q)Tests/Package/clean-root.sh $(BUILD)/deb-before $(SUITES)

# What pip builds an sdist with comes along.
test-new-users: deb wheel ## a new user's first minutes by C, C++, apt, pip and Swift, in a clean Debian each, with times
	$(Q)$(NEED) mmdebstrap
	$(Q)rm -rf $(BUILD)/fetched && $(PYTHON_TESTS)/bin/python -m pip download --quiet --dest $(BUILD)/fetched hatchling
	$(Q)Tests/Package/new-users.sh $(BUILD)/new-users $(WHEELS) $(BUILD)/fetched $(SUITES)

test-reproducible: ## builds the packages twice, where all differs that reprotest can make differ: they have the same bytes
	$(Q)$(NEED) build-essential debhelper dh-python disorderfs faketime fuse3 locales-all pkgconf pybuild-plugin-pyproject python3-all python3-hatchling reprotest
	$(Q)$(MAKE) --no-print-directory deb-source DEB=$(BUILD)/deb-reprotest
	$(Q)Tests/Package/reprotest.sh $(BUILD)/deb-reprotest/source '$(call profile_options,nocheck)'

test-building: ## builds and installs as people do: as an ordinary user, without Python, elsewhere; and its documentation
	$(Q)Tests/Package/building.sh

test-consumers: lib ## builds the first programs with an installation, by make, CMake, Meson and valac
	$(Q)$(NEED) cmake g++ libglib2.0-dev meson ninja-build pkg-config valac
	$(Q)Tests/Package/consumers.sh

test-spaces: ## builds and installs where paths have spaces in them
	$(Q)Tests/Package/spaces.sh
