/* SPDX-License-Identifier: MIT */
/* The version as text, which Swift cannot read out of the header's macro. */
#include "../../include/swiftobserver.h"

static inline const char *_Nonnull header_version_text(void) { return SWO_VERSION_TEXT; }
