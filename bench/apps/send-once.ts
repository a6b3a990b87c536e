import { type ComparedReply, readReply } from "./comparable-reply.ts";
import { failureOf } from "../basics/errors.ts";
import { withoutSecrets } from "../basics/without-secrets.ts";
import type { Failure } from "../basics/failures.ts";
import { LIMITS } from "../machine/clock.ts";
import type { Hosts } from "../observe/sample-load.ts";
import type { ReplySample } from "../record/user-spec.ts";
import type { Reply } from "../../suites/suite.ts";

/** A request that is ready to be sent, without its reply. */
export type PreparedRequest = Omit<ReplySample, "reply">;

/** A server, and the host that sends to it. */
export interface ServerAt {
  readonly url: string;
  readonly from: Pick<Hosts["load"], "client">;
}

/** A request without a reply, with the code of its failure if it has one. */
export class NoReply extends Error {
  readonly failure: Failure | null;

  constructor(message: string, failure: Failure | null, cause?: unknown) {
    super(message, { cause });
    this.failure = failure;
  }
}

/** Sends one request over a new connection. Throws {@link NoReply}. */
export async function sendOnce(request: PreparedRequest, { url, from }: ServerAt): Promise<ComparedReply> {
  const client = from.client(url, LIMITS.recordedReplyMs);
  let reply: Reply;
  try {
    const { method, path, body, headers, first: message } = request;
    reply = await client.send(method, path, body, headers, message === undefined ? undefined : { message });
  } catch (error) {
    const { name, message } = error as Error;
    // A wrong answer names its request itself.
    const text = name === "WrongAnswer" ? message : `${requestName(request)}: ${message}`;
    throw new NoReply(text, failureOf(error, "reply-late"), error);
  } finally {
    client.close();
  }
  return readReply(reply, url);
}

/** The name of a request in messages. */
export const requestName = ({ method, path }: Pick<PreparedRequest, "method" | "path">) =>
  `${method} ${withoutSecrets(path).slice(0, 80)}`;
