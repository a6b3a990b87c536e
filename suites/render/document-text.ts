import type { DefaultTreeAdapterMap } from "parse5";

type Node = DefaultTreeAdapterMap["node"];

/**
 * A document in one form, as a browser would build it: attributes in order, texts that touch are one, and no comments,
 * with which libraries mark where texts meet and what they will hydrate.
 */
export async function documentText(html: string): Promise<string> {
  // Lazily: the driver loads suites for every command.
  const { parse } = await import("parse5");
  const lines: string[] = [];
  let text = "";
  const flush = () => {
    if (text !== "") lines.push(JSON.stringify(text));
    text = "";
  };
  const visit = (node: Node, depth: string) => {
    if (node.nodeName === "#text" && "value" in node) text += node.value;
    else if (node.nodeName === "#documentType") lines.push("doctype");
    else if ("tagName" in node) {
      flush();
      const attributes = node.attrs.map(({ name, value }) => ` ${name}=${JSON.stringify(value)}`).sort().join("");
      lines.push(`${depth}<${node.tagName}${attributes}>`);
    }
    if (!("childNodes" in node)) return;
    for (const child of node.childNodes) visit(child, `${depth} `);
    flush();
  };
  visit(parse(html), "");
  return lines.join("\n");
}
