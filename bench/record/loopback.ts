/** Names and addresses of this machine alone. */
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost)$/;

/** Why an address is that of no server here, with what to give in its place; null where it is one. */
export function targetFault(text: string): { readonly what: string; readonly hint: string } | null {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const bare = url !== undefined && url.pathname === "/" && url.search + url.hash + url.username + url.password === "";
  if (!bare || url.protocol !== "http:" || url.port === "") {
    return { what: "is no address of a server", hint: "such as --target http://127.0.0.1:8080" };
  }
  return LOOPBACK.test(url.hostname)
    ? null
    : { what: "is not on this machine: only loopback is loaded", hint: "http://127.0.0.1:PORT" };
}
