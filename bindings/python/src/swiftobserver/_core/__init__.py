# SPDX-License-Identifier: MIT
"""Observables, observers, observations, and what becomes of failures."""
