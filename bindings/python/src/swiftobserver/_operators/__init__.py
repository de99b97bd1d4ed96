# SPDX-License-Identifier: MIT
"""What makes observables from observables."""
