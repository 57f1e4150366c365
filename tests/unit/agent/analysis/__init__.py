"""Tests of verification, KPIs, words and chart choice."""
