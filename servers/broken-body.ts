/**
 * True if an error says that a request's body could not be read to its end: the client broke off, or framed it wrongly.
 * That is the client's fault, answered with 400 if the connection is still open.
 *
 * Deno rejects with a BadResource or names HTTP/1, Bun with an AbortError, Node with ECONNRESET (seen with Deno 2.9.5,
 * Bun 1.4.5 and Node 26.10).
 */
export function isBrokenBody(error: unknown): boolean {
  const { name, code, message = "" } = error as { name?: string; code?: unknown; message?: string };
  return name === "BadResource" || name === "AbortError" || code === "ECONNRESET" ||
    /invalid HTTP\/1 request|reading a body/.test(message);
}
