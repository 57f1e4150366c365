"""Tests of the Teams adapter, against a Teams of ours over HTTP."""
