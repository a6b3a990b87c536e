import type { Protocol } from "./protocol.ts";

/** Where a server listens, and what it speaks there; port 0 lets the system choose. */
export interface ListenOptions {
  readonly hostname: string;
  readonly port: number;
  /** HTTP/1.1 by default. */
  readonly protocol?: Protocol;
  /** Key and certificate as PEM, for a protocol over TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** The input of an adapter: a fetch handler, and where to listen. */
export interface ServeOptions extends ListenOptions {
  /** The second is what the runtime knows besides. */
  readonly fetch: (request: Request, more?: unknown) => Response | Promise<Response>;
}

/** A server that is listening. */
export interface Listening {
  /** For example `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Stops accepting, drops open connections, resolves when the port is free. */
  close(): Promise<void>;
}

/** Serves a fetch handler on one runtime. Resolves only when it is listening; rejects with a {@link ListenError}. */
export type Adapter = (options: ServeOptions) => Promise<Listening>;

/** A bare server of one runtime: answers every request with the health reply, without a router or framework. */
export type BareServer = (options: ListenOptions) => Promise<Listening>;

/** Listening failed; the message names address and reason in one line. */
export class ListenError extends Error {
  override readonly name = "ListenError";
  readonly code: "port-taken" | "not-allowed" | "other";

  constructor(options: ListenOptions, cause: unknown) {
    const raw = cause as { code?: string; name?: string; message?: string };
    const code = raw.code === "EADDRINUSE" || raw.name === "AddrInUse"
      ? "port-taken"
      : raw.code === "EACCES" || raw.name === "PermissionDenied" || raw.name === "NotCapable"
      ? "not-allowed"
      : "other";
    const why = { "port-taken": "the port is taken", "not-allowed": "not allowed", other: String(raw.message) }[code];
    super(`cannot listen on "${options.hostname}:${options.port}": ${why}`, { cause });
    this.code = code;
  }
}

/** The reply of `GET /health`, the same bytes from every server. */
export const HEALTH_BODY = JSON.stringify({ status: "ok" });
