"""The sheets of a workbook, one file each."""
