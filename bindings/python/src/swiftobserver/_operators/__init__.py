# SPDX-License-Identifier: MIT
"""Makes observables from observables."""
