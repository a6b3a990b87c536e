/**
 * A request before anything is done to it. Its texts are byte strings: each character is one byte, 0 to 255, so that a
 * request can hold what is no text at all.
 */
export interface PlainRequest {
  readonly method: string;
  /** The request target as it is sent. */
  readonly path: string;
  /** Besides Host and Content-Length. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
}

/** A text in UTF-8, as a byte string. */
export const byteString = (text: string): string => Buffer.from(text).toString("latin1");

/** The bytes of a byte string. */
export const bytesOf = (text: string): Buffer => Buffer.from(text, "latin1");

/** The line a request begins with, without its end. */
export const requestLine = ({ method, path }: Pick<PlainRequest, "method" | "path">): string =>
  `${method} ${path} HTTP/1.1`;

/** Lines of a head, each ended, and the empty one behind them. */
export const headOf = (lines: readonly string[]): string => lines.map((line) => `${line}\r\n`).join("") + "\r\n";

/** Its header lines: Host first, then its own, Content-Length last where there is a body. */
export function headerLines({ headers, body }: PlainRequest): string[] {
  return [
    "Host: localhost",
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : [`Content-Length: ${body.length}`]),
  ];
}

/** The whole request, well formed if its parts are. */
export function written(request: PlainRequest): string {
  return headOf([requestLine(request), ...headerLines(request)]) + (request.body ?? "");
}

/** True if a method may change the state of a server (RFC 9110, 9.2.1). */
export const isUnsafe = (method: string): boolean => !["GET", "HEAD", "OPTIONS", "TRACE"].includes(method);
