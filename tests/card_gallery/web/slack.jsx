// A message, a dialog or a Home tab as Slack shows it: the blocks are drawn by slack-blocks-to-jsx, the frame is ours.
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import { Message } from "slack-blocks-to-jsx";
import "slack-blocks-to-jsx/dist/style.css";
import "./frame.css";

const AT = new Date(2026, 10, 1, 10, 2);
const HOOKS = { user: ({ name, id }) => <span className="mention">@{name || id}</span> };

function Blocks({ piece }) {
  return <Message blocks={piece.blocks} hooks={HOOKS} data={{ users: piece.users }} theme="light" withoutWrapper unstyled={false} />;
}

function Posted({ piece }) {
  return (
    <div className="slack-message">
      <div className="slack-avatar">C</div>
      <div className="slack-body">
        <div className="slack-name">
          <b>Countersign</b>
          <span className="slack-app">APP</span>
          <time>{AT.getHours()}:{String(AT.getMinutes()).padStart(2, "0")}</time>
          {piece.private && <span className="slack-only">{piece.private}</span>}
        </div>
        <Blocks piece={piece} />
        {piece.files.map((file) => <File key={file.name} file={file} />)}
      </div>
    </div>
  );
}

function File({ file }) {
  if (file.picture) {
    return (
      <figure className="slack-picture">
        <figcaption>{file.title}</figcaption>
        <img src={file.picture} alt="" />
      </figure>
    );
  }
  return (
    <div className="slack-file">
      <span className="slack-file-icon">{file.name.split(".").pop().toUpperCase()}</span>
      <span><b>{file.name}</b><small>{file.kind}</small></span>
    </div>
  );
}

function Dialog({ piece }) {
  const view = piece.view;
  return (
    <div className="slack-dialog">
      <header><b>{view.title.text}</b></header>
      <main><Blocks piece={{ ...piece, blocks: view.blocks }} /></main>
      <footer>
        <span className="slack-button">{view.close.text}</span>
        <span className="slack-button primary">{view.submit.text}</span>
      </footer>
    </div>
  );
}

function Home({ piece }) {
  return (
    <div className="slack-home">
      <nav><b>Home</b><span>Messages</span><span>About</span></nav>
      <Blocks piece={piece} />
    </div>
  );
}

window.draw = (piece) => {
  const frame = document.getElementById("frame");
  frame.className = piece.view ? "slack dialog" : "slack";
  const drawn = piece.view ? <Dialog piece={piece} /> : piece.home ? <Home piece={piece} /> : <Posted piece={piece} />;
  flushSync(() => createRoot(frame).render(drawn));
};
