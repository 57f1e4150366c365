"""Tests of forecasting."""
