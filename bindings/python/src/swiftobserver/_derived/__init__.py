# SPDX-License-Identifier: MIT
"""Functions over variables: derived variables, transactions, snapshots and effects."""
