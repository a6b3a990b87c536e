/** The headers of a reply that count, each in one spelling. Pure. */

/** Headers of the connection and the clock: they differ between servers of one app without a meaning for clients. */
const NEVER_COMPARED = [
  ...["date", "age", "connection", "keep-alive", "proxy-connection", "transfer-encoding", "content-length", "trailer"],
  // Bodies are compared by content, and their sizes are reported.
  "content-encoding",
];

const COOKIE = "cookie:";

/** The headers that count, each in one spelling, and each cookie by itself; in one spelling they stay as they are. */
export function comparedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const isCompressed = headers["content-encoding"] !== undefined;
  const kept = Object.entries(headers).flatMap(([name, value]): (readonly [string, string])[] => {
    if (NEVER_COMPARED.includes(name)) return [];
    if (name === "set-cookie") return cookiesOf(value);
    const written = writtenOneWay(name, value, isCompressed);
    return isSaidByNobody(name, written) ? [] : [[name, written]];
  });
  return Object.fromEntries(kept.sort(([a], [b]) => a < b ? -1 : 1));
}

/** True if a header counts as missing: an empty `vary`, or the default type that servers add. */
const isSaidByNobody = (name: string, written: string) =>
  (name === "vary" && written === "") || (name === "content-type" && written === "text/plain; charset=utf-8");

function writtenOneWay(name: string, value: string, isCompressed: boolean): string {
  switch (name) {
    case "content-type":
      // JSON is UTF-8 in any case: Bun says so, Node and Deno do not.
      return value.toLowerCase().replaceAll(/\s*;\s*/g, "; ").replace(/^(\S+[/+]json); charset="?utf-8"?$/, "$1");
    case "vary": {
      const names = value.toLowerCase().split(",").map((each) => each.trim());
      // Servers that may compress say so in each reply.
      return names.filter((each) => each !== "" && each !== "accept-encoding").sort().join(", ");
    }
    case "etag":
      // Compression on the way makes it a weak one.
      return isCompressed ? value.replace(/^W\//, "") : value;
    default:
      return value;
  }
}

/** Cookies by name; their order and that of their attributes have no meaning. */
function cookiesOf(value: string): [name: string, value: string][] {
  const cookies = new Map<string, string[]>();
  // A comma inside `Expires=Thu, 26 Nov` has no name and `=` after it.
  for (const cookie of value.split(/,(?=\s*[^;,=\s]+=)/)) {
    const [pair = "", ...attributes] = cookie.split(";").map((each) => each.trim());
    const at = pair.indexOf("=");
    const name = `${COOKIE}${pair.slice(0, at)}`;
    const written = attributes.map((each) => each.replace(/^[^=]+/, (word) => word.toLowerCase())).sort();
    cookies.set(name, [...cookies.get(name) ?? [], [pair.slice(at + 1), ...written].join("; ")]);
  }
  return [...cookies].map(([name, values]) => [name, values.sort().join(", ")]);
}

/** A header that changes by itself, as it is compared: of a cookie what it is for stays. */
export function withoutValue(name: string, value: string): string {
  if (!name.startsWith(COOKIE)) return "{}";
  const attributes = value.split("; ").slice(1).map((each) => each.replace(/^(expires|max-age)=.*/, "$1"));
  return ["{}", ...attributes].join("; ");
}

/** A text with the server's port as 0, after a host's name, the server's address or the word port. */
export function withoutPort(text: string, url: string | undefined): string {
  const { hostname, port } = url === undefined ? { hostname: "", port: "" } : new URL(url);
  if (port === "") return text;
  const address = hostname.replaceAll(/[.[\]]/g, "\\$&");
  const withPort = new RegExp(`([\\w.\\]-](?::|%3a)|(?:port|localhost|${address})\\W{1,6})${port}(?!\\d)`, "gi");
  return text.replaceAll(withPort, (_, before) => `${before}0`);
}
