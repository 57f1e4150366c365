"""Tests of the card builders."""
