// The page beside a report that holds whole what the report had to cut, a piece at a time.

import { useEffect, useState } from "preact/hooks";
import { count } from "./data/figures.js";
import { Long, Text, useTexts } from "./ui.jsx";

function asked() {
  const given = new URLSearchParams(location.hash.slice(1));
  return { text: given.get("text"), piece: Math.max(Number(given.get("piece") ?? 1) || 1, 1) };
}

export function WholeTexts({ doc, texts }) {
  const [at, setAt] = useState(asked);
  useTexts(texts);
  useEffect(() => {
    const follow = () => setAt(asked());
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  const item = doc.items[at.text];
  const piece = item && Math.min(at.piece, item[2]);
  return (
    <>
      <header class="top">
        <p class="title">
          <Text>{doc.title}</Text>
        </p>
        <nav aria-label="Views">
          <a href={doc.report}>The report</a>
        </nav>
      </header>
      <main id="main">
        {item ? (
          <>
            <h1>
              <Text>{item[0]}</Text>
            </h1>
            <p class="choices">
              part {piece} of {item[2]}
              {piece > 1 && <a href={`#text=${at.text}&piece=${piece - 1}`}>previous part</a>}
              {piece < item[2] && <a href={`#text=${at.text}&piece=${piece + 1}`}>next part</a>}
              <a href="#">all texts</a>
            </p>
            <Long label={item[0]} text={texts.peek(item[1] + piece - 1)} class="whole" />
          </>
        ) : (
          <>
            <h1>Texts that the report had no room for</h1>
            <p>{count(Object.keys(doc.items).length)} texts, each whole.</p>
            <ul>
              {Object.entries(doc.items)
                .slice(0, 2000)
                .map(([position, [name]]) => (
                  <li>
                    <a href={`#text=${position}`}>
                      <Text>{name}</Text>
                    </a>
                  </li>
                ))}
            </ul>
          </>
        )}
      </main>
    </>
  );
}
