/** What a server says over WebSocket until it is silent: its answers to an opening message. */
import { type Body, WrongAnswer } from "../../suites/suite.ts";
import { failureOf } from "../basics/errors.ts";
import type { ReceivedPart } from "./message-reader.ts";

/**
 * A server that has read an opening message and is silent for so many ms has answered it. Later answers are taken for
 * replies to the message after it, and then no two replies are equal.
 */
const SILENCE_MS = 500;

/**
 * Resolves with all messages that come until the server has answered a ping and is silent.
 *
 * @param take resolves with the next message or pong; rejects as late after so many milliseconds
 * @param timeoutMs for all of it
 */
export async function untilSilent(
  take: (limitMs?: number) => Promise<Exclude<ReceivedPart, { readonly kind: "ping" | "close" }>>,
  name: string,
  timeoutMs: number,
): Promise<Body[]> {
  const heard: Body[] = [], started = performance.now();
  for (let limitMs: number | undefined;;) {
    const one = await take(limitMs).catch((error: unknown) => {
      if (limitMs !== undefined && failureOf(error, "reply-late") !== null) return null;
      throw error;
    });
    if (one === null) return heard;
    if (one.kind === "message") heard.push(one.body);
    else limitMs = SILENCE_MS;
    if (performance.now() - started > timeoutMs) {
      const many = `${heard.length} messages`;
      throw new WrongAnswer(
        `${name}: the server goes on speaking after the first message (${many}): only replies are measured`,
      );
    }
  }
}
