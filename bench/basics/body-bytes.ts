import type { Body, Reply } from "../../suites/suite.ts";

/** The bytes of a body. */
export const bodyBytes = (body: Body): Buffer =>
  typeof body === "string" ? Buffer.from(body, "utf8") : Buffer.from(body.base64, "base64");

/** A body of these bytes: their text where they are UTF-8. */
export function bodyOfBytes(bytes: Buffer): Body {
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : { base64: bytes.toString("base64") };
}

/** Returns a body as text, and in base64 as well if it is no UTF-8. */
export function bodyOfReply(bytes: Buffer): Pick<Reply, "body" | "base64"> {
  const body = bytes.toString("utf8");
  return Buffer.from(body, "utf8").equals(bytes) ? { body } : { body, base64: bytes.toString("base64") };
}
