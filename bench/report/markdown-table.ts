import { printable } from "./align.ts";

/** What forges make links of by themselves, wherever it stands: people, teams, issues, commits by `owner/name@`, addresses. */
const ALIVE = /@(?=\w)|#(?=\d)|\bGH-(?=\d)|\b(?:https?|ftp|mailto|xmpp):(?=\S)|\bwww(?=\.)/gi;

/**
 * Text that stays inside its place in a Markdown table, on one line. It brings no HTML, link or picture, and no forge
 * tells anybody of it.
 */
export function markdownText(text: string): string {
  return printable(text).trim().replace(/[\\`*_|~]|\](?=[([])/g, "\\$&").replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;").replace(ALIVE, "$&<!-- -->");
}

/** Text as code, on one line. */
export const markdownCode = (text: string): string => `\`${printable(text).replaceAll("`", "'")}\``;

/** A table in Markdown from rows of text, the head first: `text` columns start together, others end together. */
export function markdownTable(rows: readonly (readonly string[])[], text: (column: number) => boolean): string[] {
  const line = (fields: readonly string[]) => `| ${fields.map(markdownText).join(" | ")} |`;
  const [head, ...body] = rows;
  return [line(head!), `| ${head!.map((_, column) => text(column) ? "---" : "--:").join(" | ")} |`, ...body.map(line)];
}
