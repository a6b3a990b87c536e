/** Names and addresses of this machine alone. */
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost)$/;

/** Why an address is that of no server here, with what to give in its place; null where it is one. */
export function targetFault(text: string): { readonly what: string; readonly hint: string } | null {
  const whole = text.includes("://") ? text : `http://${text}`;
  const url = URL.canParse(whole) && /^https?:\/\/[\w[]/.test(whole) ? new URL(whole) : undefined;
  if (url === undefined || /^\d+$/.test(text)) {
    return { what: "is no address of a server", hint: "--target http://127.0.0.1:8080" };
  }
  const { protocol, hostname, port, pathname, search, hash, username, password } = url;
  const here = `http://${LOOPBACK.test(hostname) ? hostname : "127.0.0.1"}:${port || "PORT"}`;
  if (!LOOPBACK.test(hostname)) {
    return {
      what: "is not on this machine: only 127.0.0.1 and localhost are loaded",
      hint: `start it here: --target ${here}`,
    };
  }
  if (protocol === "https:") return { what: "speaks TLS, and only plain HTTP is measured", hint: `--target ${here}` };
  if (port === "") return { what: "names no port, or 80, which is not measured", hint: `--target ${here}` };
  if (pathname !== "/") return { what: "has a path", hint: `--target ${here} --request "GET ${pathname}${search}"` };
  return text.startsWith("http://") && search + hash + username + password === ""
    ? null
    : { what: "is no plain address of a server", hint: `--target ${here}` };
}
