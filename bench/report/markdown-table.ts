import { printable } from "./align.ts";

/** Text that stays inside its place in a Markdown table and brings no HTML, link or picture. */
export function markdownText(text: string): string {
  return printable(text).trim().replace(/[\\`*_|]|\](?=[([])/g, "\\$&").replaceAll("&", "&amp;").replaceAll(
    "<",
    "&lt;",
  );
}

/** A table in Markdown from rows of Markdown, the head first: `text` columns start together, others end together. */
export function markdownTable(rows: readonly (readonly string[])[], text: (column: number) => boolean): string[] {
  const line = (fields: readonly string[]) => `| ${fields.join(" | ")} |`;
  const [head, ...body] = rows;
  return [line(head!), line(head!.map((_, column) => text(column) ? "---" : "--:")), ...body.map(line)];
}
