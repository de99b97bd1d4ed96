#!/bin/sh
# SPDX-License-Identifier: MIT
# The example `tally` shows on its main loop, in order, what its worker found:
#
#     Tests/C/tally_tests.sh build/embedded/examples/tally
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf 'one two\nthree\n' > "$scratch/first"
printf '  four\n\n\nfive  six\n' > "$scratch/second"
: > "$scratch/empty"
"$@" "$scratch/first" "$scratch/second" "$scratch/nowhere" "$scratch/empty" > "$scratch/out" || { echo "tally: exit status $?" >&2; exit 1; }
cat > "$scratch/expected" <<END
file  $scratch/first
lines 2 (+2)
words 3 (+3)
file  $scratch/second
lines 6 (+4)
words 6 (+3)
file  (a file that cannot be read)
file  $scratch/empty
done
END
diff "$scratch/expected" "$scratch/out" >&2 || exit 1
echo "tally shows in order what its worker found"
