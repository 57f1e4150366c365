// A message as Teams shows it: the card is drawn by Microsoft's renderer with a host configuration like Teams' own.
import * as AC from "adaptivecards";
import { HOST } from "./host.js";
import "./frame.css";

// Teams draws CodeBlock, which the public renderer does not know.
class CodeBlock extends AC.CardElement {
  getJsonTypeName() {
    return "CodeBlock";
  }
  internalParse(source, context) {
    super.internalParse(source, context);
    this.snippet = source.codeSnippet;
    this.language = source.language;
  }
  internalRender() {
    const box = document.createElement("div");
    box.className = "teams-code";
    const head = box.appendChild(document.createElement("div"));
    head.textContent = this.language;
    const body = box.appendChild(document.createElement("ol"));
    for (const line of this.snippet.split("\n")) body.appendChild(document.createElement("li")).textContent = line;
    return box;
  }
}

AC.GlobalRegistry.elements.register("CodeBlock", CodeBlock, new AC.Version(1, 5));
// Texts of this product are escaped: what is left of Markdown is the backslashes.
AC.AdaptiveCard.onProcessMarkdown = (text, result) => {
  const shown = document.createElement("span");
  shown.textContent = text.replace(/\\([\\`*_[\]~.)#>+-])/g, "$1").replace(/&lt;/g, "<");
  result.outputHtml = shown.innerHTML;
  result.didProcess = true;
};

window.draw = (piece) => {
  const card = new AC.AdaptiveCard();
  card.hostConfig = new AC.HostConfig(HOST);
  card.parse(piece.card);
  const drawn = card.render();
  const frame = document.getElementById("frame");
  frame.className = "teams";
  frame.innerHTML = '<div class="teams-avatar">C</div><div class="teams-body"><div class="teams-name"><b>Countersign</b><time>10:02</time></div><div class="teams-card"></div></div>';
  frame.querySelector(".teams-card").appendChild(drawn);
  if (piece.rated) {
    const thumbs = frame.querySelector(".teams-body").appendChild(document.createElement("div"));
    thumbs.className = "teams-thumbs";
    thumbs.textContent = "👍 👎";
  }
  for (const title of piece.open) press(frame, title);
};

function press(frame, title) {
  const found = [...frame.querySelectorAll("button")].find((button) => button.textContent === title);
  if (!found) throw new Error(`no button ${title}`);
  found.click();
}
