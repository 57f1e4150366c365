// The look of cards in Teams' light theme, as a host configuration of the renderer.
const colour = (normal, subtle) => ({ default: normal, subtle });
const text = {
  default: colour("#242424", "#616161"),
  dark: colour("#242424", "#616161"),
  light: colour("#FFFFFF", "#E0E0E0"),
  accent: colour("#5B5FC7", "#7F85F5"),
  good: colour("#237B4B", "#237B4B"),
  warning: colour("#835C00", "#835C00"),
  attention: colour("#C4314B", "#C4314B"),
};
const style = (backgroundColor, borderColor = backgroundColor) => ({ backgroundColor, borderColor, foregroundColors: text });

export const HOST = {
  fontFamily: "'Segoe UI', 'Open Sans', sans-serif",
  fontStyles: {
    default: { fontFamily: "'Segoe UI', 'Open Sans', sans-serif" },
    monospace: { fontFamily: "'Cascadia Code', 'JetBrains Mono', monospace" },
  },
  fontSizes: { small: 12, default: 14, medium: 16, large: 20, extraLarge: 24 },
  fontWeights: { lighter: 300, default: 400, bolder: 600 },
  lineHeights: { small: 16, default: 20, medium: 22, large: 28, extraLarge: 32 },
  spacing: { small: 4, default: 8, medium: 12, large: 16, extraLarge: 24, padding: 12 },
  separator: { lineThickness: 1, lineColor: "#E0E0E0" },
  supportsInteractivity: true,
  imageSizes: { small: 40, medium: 80, large: 160 },
  containerStyles: {
    default: style("#FFFFFF"),
    emphasis: style("#F5F5F5"),
    accent: style("#E8EBFA"),
    good: style("#E7F2DA"),
    warning: style("#FBF6D9"),
    attention: style("#FCF4F6"),
  },
  actions: {
    maxActions: 6,
    spacing: "default",
    buttonSpacing: 8,
    actionsOrientation: "horizontal",
    actionAlignment: "left",
    showCard: { actionMode: "inline", style: "emphasis", inlineTopMargin: 12 },
  },
  factSet: {
    title: { weight: "bolder", wrap: true, maxWidth: 180 },
    value: { wrap: true },
    spacing: 16,
  },
  table: { cellSpacing: 8 },
  inputs: { label: { requiredInputs: { weight: "bolder" }, optionalInputs: { weight: "bolder" } } },
};
