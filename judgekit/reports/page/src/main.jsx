// The page: which kind of document it holds decides what is shown.

import { render } from "preact";
import { opened } from "./data/document.js";
import { Run } from "./data/run.js";
import { App } from "./app.jsx";
import { RunIndex } from "./run_index.jsx";
import { WholeTexts } from "./whole_texts.jsx";

async function start() {
  const { doc, texts } = await opened(document);
  const root = document.getElementById("app");
  root.replaceChildren();
  if (doc.kind === "index") render(<RunIndex doc={doc} />, root);
  else if (doc.kind === "texts") render(<WholeTexts doc={doc} texts={texts} />, root);
  else render(<App run={new Run(doc, texts)} />, root);
  document.documentElement.dataset.ready = "true";
  // The rest is unpacked when the first picture stands.
  requestAnimationFrame(() => setTimeout(() => doc.kind === "run" && texts.loadAll(), 0));
}

start().catch((problem) => {
  const said = document.createElement("p");
  said.setAttribute("role", "alert");
  said.textContent = `This report can't be shown: ${problem}. It needs a browser of 2023 or newer.`;
  document.getElementById("app").replaceChildren(said);
  throw problem;
});
