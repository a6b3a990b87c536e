/** Messages of PostgreSQL's protocol, version 3, for tests. */

/** A number in four bytes. */
export const int4 = (number: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(number);
  return bytes;
};
const int2 = (number: number) => int4(number).subarray(2);
const text = (value: string) => Buffer.from(`${value}\0`);
/** A message of the frontend. */
export const message = (kind: string, ...parts: readonly Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(kind), int4(body.length + 4), body]);
};
/** The first message of a connection. */
export const startUp = (database: string) => {
  const body = Buffer.concat([int4(196_608), ...["user", "postgres", "database", database, ""].map(text)]);
  return Buffer.concat([int4(body.length + 4), body]);
};
/** A simple query. */
export const query = (sql: string) => message("Q", text(sql));
/** Prepares a statement. */
export const parse = (name: string, sql: string, ...types: readonly number[]) =>
  message("P", text(name), text(sql), int2(types.length), ...types.map(int4));
/** Binds a portal; bytes are values in binary form. */
export const bind = (portal: string, name: string, values: readonly (string | Buffer | null)[], formats = [0]) =>
  message(
    "B",
    text(portal),
    text(name),
    int2(values.length),
    ...values.map((value) => int2(typeof value === "object" && value !== null ? 1 : 0)),
    int2(values.length),
    ...values.flatMap((value) => value === null ? [int4(-1)] : [int4(value.length), Buffer.from(value)]),
    int2(formats.length),
    ...formats.map(int2),
  );
/** Asks for the description of a statement (S) or portal (P). */
export const describe = (what: string, name: string) => message("D", Buffer.from(what), text(name));
/** Runs a portal, up to so many rows. */
export const execute = (portal: string, most = 0) => message("E", text(portal), int4(most));
/** Closes a statement (S) or portal (P). */
export const close = (what: string, name: string) => message("C", Buffer.from(what), text(name));
/** Ends a batch. */
export const sync = message("S");

/** One message of the server's, as text without what differs between servers. */
function told(kind: string, body: Buffer): string {
  const bytes = body.toString("latin1");
  if (kind === "E") return `E ${/\0C(\w+)/.exec(bytes)![1]}`;
  if (kind !== "T") return `${kind} ${bytes}`;
  let at = 2;
  const fields = Array.from({ length: body.readInt16BE(0) }, () => {
    const end = body.indexOf(0, at);
    const field = [body.toString("utf8", at, end), body.readInt32BE(end + 7), body.readInt16BE(end + 11)];
    at = end + 19;
    return [...field, body.readInt16BE(at - 2)].join(" ");
  });
  return `T ${fields.join(", ")}`;
}

/** Kind and body of each whole message in bytes. */
export function wholeMessages(bytes: Buffer): { readonly kind: string; readonly body: Buffer }[] {
  const all: { kind: string; body: Buffer }[] = [];
  for (let at = 0; at + 5 <= bytes.length;) {
    const length = bytes.readInt32BE(at + 1);
    if (at + 1 + length > bytes.length) break;
    all.push({ kind: String.fromCharCode(bytes[at]!), body: bytes.subarray(at + 5, at + 1 + length) });
    at += 1 + length;
  }
  return all;
}

/** Whole messages in bytes, of those that are told alike by all servers. */
export const messagesOf = (bytes: Buffer): string[] =>
  wholeMessages(bytes).flatMap(({ kind, body }) => "RSKN".includes(kind) ? [] : [told(kind, body)]);
