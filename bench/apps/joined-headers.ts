/** Headers of which a request has one: two of them are no list. */
const SINGLE =
  /^(authorization|content-type|content-encoding|host|user-agent|referer|origin|date|range|max-forwards|proxy-authorization|if-.*)$/;

/**
 * Headers by name, those that come several times joined as a server reads them (RFC 9110, 5.3; cookies RFC 6265, 5.4). A
 * text says what cannot be joined.
 */
export function joinedHeaders(
  pairs: Iterable<readonly [name: string, value: string]>,
): Record<string, string> | string {
  const headers: Record<string, string> = {};
  const names = new Map<string, string>();
  for (const [given, value] of pairs) {
    const key = given.toLowerCase();
    const name = names.get(key) ?? given;
    const known = headers[name];
    names.set(key, name);
    if (known === undefined) headers[name] = value;
    else if (!SINGLE.test(key)) headers[name] = `${known}${key === "cookie" ? "; " : ", "}${value}`;
    else if (known !== value) {
      return `header "${given}" comes twice, ${JSON.stringify(known)} and ${JSON.stringify(value)}`;
    }
  }
  return headers;
}
