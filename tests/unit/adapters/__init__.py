"""Tests of the adapters' pure parts."""
