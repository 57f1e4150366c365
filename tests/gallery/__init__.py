"""Every kind of chart over hard data, to be looked at and to be compared with what was looked at before."""
