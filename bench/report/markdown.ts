/** The only way Markdown is made: a template that escapes each text. */
import { printable } from "./align.ts";
import type { Table, TitledTable } from "./table.ts";

// JSON has no symbols, so nothing read from a file passes for Markdown.
const MARKDOWN = Symbol("markdown");

/** A part of a line, or a block: made by {@link md} and the functions of this file alone. */
export interface Markdown {
  readonly [MARKDOWN]: string;
}

/** The whole text of a Markdown file or comment: a string for readers, made by {@link markdownFile} alone. */
export type MarkdownText = string & { readonly [MARKDOWN]: true };

/** A value of a template: texts and numbers are escaped, Markdown stays Markdown. */
type Content = string | number | Markdown;

/** Texts that forges turn into links: people, teams, issues, commits by `owner/name@`, addresses. */
const ALIVE = /@(?=\w|$)|#(?=\d|$)|GH-(?=\d|$)|(?:https?|ftp|mailto|xmpp):(?=\S|$)|www(?=\.|$)/gi;
/** Characters of code, emphasis, tables, formulas and links; an interval such as `1.2 [1.1–1.3]` is no link. */
const SIGNS = /((?<=\S )\[\d[\d.,–∞ ×%kMGnµms]*\](?![[(:]))|[\\`*_~|$[\]]/g;
/** Signs that begin a heading, a quote, an item, a rule or the underline of a heading at the start of a line. */
const FIRST = /^(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|[-+=:](?=[-+=:\s]*$)|\d{1,9}(?=[.)](?:\s|$)))/;
const AFTER_NUMBER = /^\d+$/;

/** Returns a text as Markdown shows it, on one line: it brings no HTML, link, picture or block, and no forge notifies anybody. */
export function escapeMarkdown(text: string): string {
  const shown = printable(text).trim().replace(SIGNS, (sign, interval?: string) => interval ?? `\\${sign}`)
    .replace(FIRST, (sign) => AFTER_NUMBER.test(sign) ? `${sign}\\` : `\\${sign}`)
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replace(ALIVE, "$&<!-- -->");
  // Signs around nothing would be a rule.
  return shown === "" && text !== "" ? "\ufffd" : shown;
}

const INSIDE = /^(?:\w|\.\.\/)[\w./-]*$/;

/**
 * Markdown from a template: each value is escaped unless it is Markdown itself.
 *
 * @throws RangeError where escaping is no help: within code, a comment or a tag, before a bracket that would make a link
 * of the text, and for a link out of the project
 */
export function md(parts: TemplateStringsArray, ...values: readonly Content[]): Markdown {
  let text = parts[0]!;
  values.forEach((value, n) => {
    const line = parts.slice(0, n + 1).join("").split("\n").at(-1)!, after = parts[n + 1]!;
    if (line.split("`").length % 2 === 0 || /<[^>]*$/.test(line) || /^[[(]/.test(after)) {
      throw new RangeError(`a value may not stand between ${line.slice(-30)} and ${after.slice(0, 30)}`);
    }
    if (typeof value === "object") text += value[MARKDOWN];
    else if (!/\]\([^)]*$/.test(line)) text += escapeMarkdown(String(value));
    else if (INSIDE.test(String(value))) text += value;
    else throw new RangeError(`"${value}" leads out of the project`);
    text += after;
  });
  return { [MARKDOWN]: text };
}

const made = (text: string): Markdown => ({ [MARKDOWN]: text });

/** The line between paragraphs. */
export const BLANK: Markdown = made("");

/** A page of this project with its written parts, each of {@link markdownFile}. */
export const trustedMarkdown = (page: string) => page as MarkdownText;

const fenceOf = (text: string, least: number) =>
  "`".repeat(Math.max(least, ...[...text.matchAll(/`+/g)].map(([{ length }]) => length + 1)));

/** A text without HTML comments: this project finds its own lines in a page by comments. */
const withoutComments = (text: string) => text.replaceAll("<!--", "< !--");

/** A text as code, on one line. It has no place in a table, where a bar ends its cell. */
export function markdownCode(text: string): Markdown {
  const code = withoutComments(printable(text)) || " ";
  const fence = fenceOf(code, 1);
  const space = /^`|`$|^ .*\S.* $/.test(code) ? " " : "";
  return made(fence + space + code + space + fence);
}

/** A command as code, or as text if its code would not be the command: with backquotes, controls or markup. */
export const markdownCommand = (command: string): Markdown =>
  /[`<\p{Cc}]/u.test(command) ? md`${command}` : markdownCode(command);

/** Lines as a block of code. */
export function markdownBlock(text: string): Markdown {
  const lines = withoutComments(text.split("\n").map(printable).join("\n"));
  const fence = fenceOf(lines, 3);
  return made(`${fence}text\n${lines}\n${fence}`);
}

/** An invisible line, by which a comment is found again. */
export const markdownComment = (text: string): Markdown =>
  made(`<!-- ${printable(text).replaceAll(/[<>-]{2,}|[<>]/g, "-")} -->`);

/** The text of lines and blocks. */
export const markdownFile = (lines: readonly Markdown[]): MarkdownText =>
  trustedMarkdown(lines.map((line) => line[MARKDOWN]).join("\n"));

/** A table in Markdown. */
export function markdownTable({ heads, rows, isText }: Table): Markdown[] {
  const line = (fields: readonly string[]) => made(`| ${fields.map(escapeMarkdown).join(" | ")} |`);
  return [
    line(heads),
    made(`| ${heads.map((_, column) => isText(column) ? "---" : "--:").join(" | ")} |`),
    ...rows.map(line),
  ];
}

/** Tables in Markdown, each below its title. */
export function tablesMarkdown(tables: readonly TitledTable[]): Markdown[] {
  return tables.flatMap(({ title, remark, ...table }) => [
    remark === undefined ? md`**${title}**` : md`**${title}** (${remark})`,
    BLANK,
    ...markdownTable(table),
    BLANK,
  ]);
}
