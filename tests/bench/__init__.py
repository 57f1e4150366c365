"""The performance suite: each subject beside its floor, in the same run, on the same machine."""
