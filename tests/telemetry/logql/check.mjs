// A JSON list of LogQL queries in, by each the offsets at which Grafana's grammar does not understand it out.
import { readFileSync } from "node:fs";
import { parser } from "@grafana/lezer-logql";

const queries = JSON.parse(readFileSync(0, "utf8"));
const wrong = queries.map((query) => {
  const at = [];
  parser.parse(query).iterate({ enter: (node) => void (node.type.isError && at.push(node.from)) });
  return at;
});
console.log(JSON.stringify(wrong));
