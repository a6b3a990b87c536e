/** Markdown as forges show it: read by Bun's parser of GitHub's Markdown, then as HTML. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { locateRuntime } from "../bench/runtimes/runtimes.ts";
import { inTemporaryFolder, ranToEnd } from "./testing.ts";

/** A Markdown text as a reader has it. */
export interface Rendered {
  /** Each element with its attributes but the words for a picture, in order. */
  readonly elements: readonly string[];
  /** Texts outside code that a forge makes links of, and characters that turn text or move a cursor. */
  readonly alive: readonly string[];
  readonly text: string;
}

const ALIVE =
  /@\w|#\d|\bGH-\d|(?:https?|ftp|mailto|xmpp):\S|www\.|[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

const RENDER = `const [file] = process.argv.slice(1);
const options = { tables: true, strikethrough: true, tasklists: true, autolinks: true };
const texts = await Bun.file(file).json();
console.log(JSON.stringify(texts.map((text) => Bun.markdown.html(text, options))));`;

/** Renders Markdown texts, all in one process. */
export const rendered = (texts: readonly string[]): Promise<Rendered[]> =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, "texts.json");
    writeFileSync(file, JSON.stringify(texts));
    const { stdout, stderr } = await ranToEnd(locateRuntime("bun").file, ["-e", RENDER, file]);
    if (stdout === "") throw new Error(stderr);
    return (JSON.parse(stdout) as string[]).map(readHtml);
  });

function readHtml(html: string): Rendered {
  const elements: string[] = [], alive: string[] = [];
  let text = "";
  const walk = (node: DefaultTreeAdapterTypes.Node, inCode: boolean): void => {
    if ("tagName" in node) {
      elements.push(
        [node.tagName, ...node.attrs.flatMap(({ name, value }) => name === "alt" ? [] : `${name}=${value}`)].join(" "),
      );
    }
    if (node.nodeName === "#text" && "value" in node) {
      text += node.value;
      const found = ALIVE.exec(node.value.replaceAll("\n", " "))?.[0];
      if (found !== undefined && !inCode) alive.push(node.value);
    }
    for (const child of "childNodes" in node ? node.childNodes : []) {
      walk(child, inCode || "tagName" in node && node.tagName === "code");
    }
  };
  walk(parseFragment(html), false);
  return { elements, alive, text };
}
