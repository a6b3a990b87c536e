/** The most digits of the `age` header, the seconds since a cache got a reply (RFC 9111, 1.2.2). */
const AGE_DIGITS = 10;

/**
 * Returns by how many bytes the heads of equal replies may differ on average: for the connection, a cookie or their age.
 * `Keep-Alive: max=99` counts down, and the last reply of such a connection has other lines.
 */
export function looseBytes(headers: Readonly<Record<string, string>>): number {
  const lineOf = (name: string) => headers[name] === undefined ? 0 : `${name}: ${headers[name]}\r\n`.length;
  const max = /\bmax=(\d+)/i.exec(headers["keep-alive"] ?? "")?.[1];
  const countdown = max === undefined
    ? 0
    : max.length + Math.ceil((lineOf("keep-alive") + lineOf("connection")) / (Number(max) + 1));
  const age = headers["age"] === undefined ? 0 : AGE_DIGITS;
  return countdown + age + (headers["set-cookie"] ?? "").length;
}
