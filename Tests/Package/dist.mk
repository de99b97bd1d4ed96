# SPDX-License-Identifier: MIT
# The sources as one file. Included by the Makefile.

# Of the last commit, or of what is packed already.
SOURCE_TIME = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md))
DIST := $(BUILD)/dist/swiftobserver-$(VERSION).tar.xz

# Whole at once, for tests beside each other pack it, too.
.PHONY: dist
dist: ## packs the sources, but debian/, into build/dist: the same bytes each time
	@mkdir -p $(dir $(DIST))
	$(Q)Tests/Package/list-sources.sh $(BUILD) | grep -v '^debian/' | tar --create --xz --file $(DIST).$$$$ --no-xattrs --format=gnu \
		--owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime=@$(SOURCE_TIME) --transform='s|^|swiftobserver-$(VERSION)/|S' -T - && mv $(DIST).$$$$ $(DIST)
	@echo $(DIST)

# Of a version that is named, for it must be that of the header, which the rest of make reads.
OF_THE_HEADER = $(call version_part,MAJOR).$(call version_part,MINOR).$(call version_part,PATCH)
.PHONY: release
release: ## checks all that a release of VERSION=x says, and makes its files in build/release; nothing leaves this machine
	$(Q)Tests/Package/release.sh $(VERSION) $(OF_THE_HEADER) $(BUILD)/release $(SOURCE_TIME)
