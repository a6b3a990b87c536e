import { type Adapter, ListenError, type Listening, type ListenOptions } from "../adapter.ts";
import { urlOf } from "../protocol.ts";

/** The part of Deno that is used here. */
interface DenoServe {
  serve(
    options:
      & { hostname: string; port: number; signal: AbortSignal; onListen(at: { port: number }): void }
      & Partial<
        NonNullable<ListenOptions["tls"]>
      >,
    handler: (request: Request) => Response | Promise<Response>,
  ): { finished: Promise<void> };
}

/** Deno: `Deno.serve`. */
export const serve: Adapter = (options) => listenDeno(options.fetch, options);

/** Listens with any handler, whose clients choose the version of HTTP: by ALPN, or by the first bytes; the bare server uses it too. */
export function listenDeno(
  handler: (request: Request) => Response | Promise<Response>,
  options: ListenOptions,
): Promise<Listening> {
  const { hostname, port } = options;
  const { Deno } = globalThis as unknown as { Deno: DenoServe };
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    try {
      const server = Deno.serve({
        hostname,
        port,
        ...options.tls,
        signal: stop.signal,
        onListen: (at) =>
          resolve({
            url: urlOf(options, at.port),
            close() {
              stop.abort();
              return server.finished;
            },
          }),
      }, handler);
    } catch (cause) {
      reject(new ListenError(options, cause));
    }
  });
}
