import { Buffer } from "node:buffer";
import { seeded } from "../seeded.ts";
import type { Body } from "../suite.ts";

/** How a message is sent: as a text, or as bytes. */
export type Form = "text" | "binary";

/** Bytes of a message under load. */
export const MESSAGE_BYTES = 64;

/** Where the load generator writes the number of a message, in as many hexadecimal digits. */
const NUMBER = "00000000";

/** The bytes of a text as a message. */
export const inForm = (form: Form, text: string): Body =>
  form === "text" ? text : { base64: Buffer.from(text, "utf8").toString("base64") };

/** The message under load: JSON of a chat, {@link MESSAGE_BYTES} long, with a place for its number. */
export function loadMessage(form: Form): Body {
  const [head, tail] = [`{"id":"${NUMBER}","text":"`, `"}`];
  const words = "the quick brown fox jumps over the lazy dog";
  return inForm(form, head + words.slice(0, MESSAGE_BYTES - head.length - tail.length) + tail);
}

/** Texts whose frames have a length in one, two and eight bytes, and characters of one to four bytes. */
const ODD_TEXTS = ["", "é", "ﬁ 🐻 \u0000", "a".repeat(125), "b".repeat(126), "c".repeat(70_000)];

/** Messages to compare: texts, and bytes of all values, also such as are no UTF-8. */
export function comparedMessages(seed: number): readonly Body[] {
  const random = seeded(seed);
  const drawn = Array.from({ length: 48 }, () => Math.floor(random() * 256));
  const every = Array.from({ length: 256 }, (_, n) => n);
  const bytes = [[], every, drawn].map((values) => ({ base64: Buffer.from(values).toString("base64") }));
  return [...ODD_TEXTS, JSON.stringify({ drawn }), ...bytes, inForm("binary", "plain text as bytes")];
}
