"""Channel-neutral cards, their renderers, charts and workbooks."""
