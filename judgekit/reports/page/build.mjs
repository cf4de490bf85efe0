// Source in, the two files that every report carries out: `node build.mjs ../assets` writes page.js and page.css there.
//
// page.js begins with a hash of what it was made from, so that a test needs no node to see that it is out of date, and
// with the licences of the libraries inside it, which every report then carries along.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const target = process.argv[2];
if (!target) throw new Error("node build.mjs FOLDER");

/** Hash over names and contents of everything that the bundle is made from; tests/reports/test_page.py does the same. */
function sourceHash() {
  const hash = createHash("sha256");
  const names = [
    ...readdirSync(join(here, "src"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(here.length)),
    "build.mjs",
    "package-lock.json",
  ].map((name) => name.replaceAll("\\", "/"));
  for (const name of names.sort()) hash.update(`${name}\n`).update(readFileSync(join(here, name))).update("\n");
  return hash.digest("hex");
}

/** Name, version and licence text of each library that is in the bundle. */
function licences(inputs) {
  const names = new Set();
  for (const path of inputs) {
    const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
    if (found) names.add(found[1]);
  }
  return [...names].sort().map((name) => {
    const folder = join(here, "node_modules", name);
    const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one));
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf-8"));
    const text = file ? readFileSync(join(folder, file), "utf-8").trim() : license;
    return `${name} ${version}\n\n${text}`;
  });
}

const script = await build({
  absWorkingDir: here,
  entryPoints: ["src/main.jsx"],
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  charset: "ascii",
  metafile: true,
  write: false,
});
const style = await build({
  absWorkingDir: here,
  entryPoints: ["src/page.css"],
  bundle: true,
  minify: true,
  charset: "ascii",
  write: false,
});
const notices = licences(Object.keys(script.metafile.inputs)).join(`\n\n${"-".repeat(80)}\n\n`);
// A closing tag in a string of the bundle would end the script element of the page.
const text = script.outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
writeFileSync(
  join(target, "page.js"),
  `/* Made from judgekit/reports/page, source ${sourceHash()}\n\nLibraries inside:\n\n${notices.replaceAll("*/", "* /")}\n*/\n${text}`,
);
writeFileSync(join(target, "page.css"), style.outputFiles[0].text);
