"""Traps that catch the program at present, and why. A trap that holds must leave this list."""

KNOWN = {}
