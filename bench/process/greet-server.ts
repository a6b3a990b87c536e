import { isTls } from "../../servers/protocol.ts";
import { LOOPBACK } from "./listens-where.ts";
import { runCertificate } from "./run-certificate.ts";
import type { ServerProcess, ServerRequest } from "./server-process.ts";
import { negotiate, type Spoken } from "./spoken.ts";

/** What a server that is asked for is told of what it is to speak, and how it is then spoken to. */
export interface ToSpeak {
  /** Files with key and certificate; null without TLS. */
  readonly files: { readonly key: string; readonly cert: string } | null;
  /** Left out for plain HTTP/1.1. */
  readonly spoken?: Spoken;
}

/** What a server is to speak, with the run's certificate where that is over TLS. Throws where none can be made. */
export async function toSpeak({ protocol = "http", hostname = LOOPBACK }: ServerRequest): Promise<ToSpeak> {
  if (protocol === "http") return { files: null };
  const files = isTls(protocol) ? await runCertificate(hostname) : null;
  return { files, spoken: { protocol, ...(files === null ? {} : { certificate: files.pem }) } };
}

/** How a server that listens is spoken to, with what a handshake comes to; or why there is none. */
export async function greeted(
  url: string,
  { spoken }: ToSpeak,
): Promise<Pick<ServerProcess, "spoken" | "negotiated"> | Error> {
  if (spoken === undefined) return {};
  return await negotiate(url, spoken).then((negotiated) => ({ spoken, negotiated }), (error: Error) => error);
}
