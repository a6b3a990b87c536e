import { foldedLines, printable } from "./align.ts";
import type { TextOptions } from "./style.ts";

/** A table of texts, which the terminal, Markdown and the page draw each in its way. */
export interface Table {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** True for a column of text, which is aligned left; others are aligned right. */
  readonly isText: (column: number) => boolean;
}

/** A table with a title. */
export interface TitledTable extends Table {
  readonly title: string;
  readonly remark?: string;
  readonly foot?: string;
}

/** A column: its head, and its text for each item. */
export type ColumnOf<T> = readonly [head: string, text: (one: T) => string];

/** Returns a table with a row for each item. */
export const tableOfColumns = <T>(
  items: readonly T[],
  columns: readonly ColumnOf<T>[],
  isText: Table["isText"] = (column) => column === 0,
): Table => ({
  heads: columns.map(([head]) => head),
  rows: items.map((one) => columns.map(([, text]) => text(one))),
  isText,
});

/** A row with the level that colours it. */
export interface LevelledRow {
  readonly fields: readonly string[];
  readonly level: "good" | "bad" | "warn" | "note";
}

/** A table as indented lines of a terminal: the head dim, rows of the level `good` green, of `bad` red. */
export function tableLines(
  { heads, rows, isText }: Table,
  { style, columns }: TextOptions,
  indent = 2,
  levels: readonly LevelledRow["level"][] = [],
): string[] {
  const [head, ...lines] = foldedLines([heads, ...rows], isText, columns - indent);
  const colours: Partial<Record<LevelledRow["level"], (text: string) => string>> = {
    good: style.green,
    bad: style.red,
  };
  const painted = lines.flatMap((texts, n) => texts.map((text) => colours[levels[n] ?? "note"]?.(text) ?? text));
  return [...head!.map(style.dim), ...painted].map((line) => " ".repeat(indent) + line);
}

/** Tables for a terminal, each below its title; empty without any. */
export function tablesText(tables: readonly TitledTable[], options: TextOptions): string {
  const { bold, dim } = options.style;
  return tables.map(({ title, remark, foot, ...table }) =>
    [
      `${bold(printable(title))}${remark === undefined ? "" : ` ${dim(printable(`(${remark})`))}`}`,
      ...tableLines(table, options),
      ...(foot === undefined ? [] : [`  ${dim(foot)}`]),
      "",
      "",
    ].join("\n")
  ).join("");
}
