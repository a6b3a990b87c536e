import { createHash } from "node:crypto";
import type { Reply, WrongAnswer } from "../../suites/suite.ts";

/** The text that RFC 6455, 1.3, appends to a key. */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Reads the head of a reply to a handshake. Throws if it is none of HTTP/1.1. */
export function readHead(head: string, wrong: (what: string) => WrongAnswer): Pick<Reply, "status" | "headers"> {
  const [first = "", ...lines] = head.split("\r\n");
  const status = /^HTTP\/1\.1 (\d{3})/.exec(first)?.[1];
  if (status === undefined) throw wrong(`the handshake is answered with ${JSON.stringify(first.slice(0, 80))}`);
  const headers = lines.map((line) => {
    const [name = "", ...value] = line.split(":");
    return [name.trim().toLowerCase(), value.join(":").trim()] as const;
  });
  return { status: Number(status), headers: Object.fromEntries(headers) };
}

/** Throws a {@link WrongAnswer} if status 101 does not agree to the handshake (RFC 6455, 4.1). */
export function assertAgreed(
  headers: Reply["headers"],
  { key, offered }: { readonly key: string; readonly offered: Readonly<Record<string, string>> },
  wrong: (what: string) => WrongAnswer,
): void {
  const named = Object.keys(offered).map((name) => name.toLowerCase());
  const accept = createHash("sha1").update(key + GUID).digest("base64");
  const said = headers["sec-websocket-accept"];
  if (said === undefined) throw wrong("status 101 comes without Sec-WebSocket-Accept");
  if (said !== accept) throw wrong(`Sec-WebSocket-Accept is "${said}", expected "${accept}"`);
  if (headers["upgrade"]?.toLowerCase() !== "websocket") throw wrong("status 101 comes without Upgrade: websocket");
  if (!/\bupgrade\b/i.test(headers["connection"] ?? "")) throw wrong("status 101 comes without Connection: Upgrade");
  for (const header of ["sec-websocket-extensions", "sec-websocket-protocol"]) {
    const value = headers[header], offers = offered[Object.keys(offered)[named.indexOf(header)] ?? ""];
    const isOffered = header.endsWith("protocol")
      ? offers?.split(/\s*,\s*/).includes(value ?? "")
      : offers !== undefined;
    if (value !== undefined && isOffered !== true) {
      throw wrong(`it agrees to "${header}: ${value}", which was not offered`);
    }
  }
}
