// The harmless tree of ./markdown.js in, elements out.

import { h } from "preact";
import { useMemo } from "preact/hooks";
import { Text } from "../ui.jsx";
import { nodes } from "./markdown.js";

function drawn(node) {
  if (typeof node === "string") return <Text>{node}</Text>;
  return h(node.tag, node.attributes, node.children.map(drawn));
}

export function Markdown({ source }) {
  return useMemo(() => nodes(source).map(drawn), [source]);
}
