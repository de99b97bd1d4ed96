# SPDX-License-Identifier: MIT
# Names of Swift begin otherwise, for assemblers that take none with a dollar sign in front. Texts stay as they are; objcopy
# gives the names back (SWIFT_NAMES in Sources/target.mk).
/\.asciz/!s/\$[es][0-9a-zA-Z]/_&/g
