/** Rows of the null services, also for loading real ones with the same and for expected replies. */

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** A value as COPY has it and PostgreSQL prints it. */
const copied = (value: unknown): string =>
  value === null
    ? "\\N"
    : typeof value === "boolean"
    ? value ? "t" : "f"
    : String(value).replace(/[\\\t\n\r]/g, (char) => ESCAPES[char]!);

/**
 * The text of a table's file, from which both PostgreSQLs get their rows: `COPY NAME FROM FILE (HEADER)`.
 *
 * @param columns PostgreSQL's type of each column by its name, in the table's order
 * @param rows values in the same order
 */
export function tableText(columns: Readonly<Record<string, string>>, rows: Iterable<readonly unknown[]>): string {
  const lines = [Object.entries(columns).map((column) => column.join(" ")).join("\t")];
  for (const row of rows) lines.push(row.map(copied).join("\t"));
  return `${lines.join("\n")}\n`;
}

/**
 * The value a null Redis has for a key; undefined where it has none. Keys are of ASCII.
 *
 * @param bytes length of each value
 */
export function redisValue(key: string, bytes: number): string | undefined {
  return key.startsWith("missing") ? undefined : `${key}:`.repeat(Math.ceil(bytes / (key.length + 1))).slice(0, bytes);
}
