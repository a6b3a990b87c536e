import { type Adapter, ListenError, type Listening, type ListenOptions } from "../adapter.ts";
import { urlOf } from "../protocol.ts";

/** The part of Bun that is used here. */
interface BunServe {
  serve(options: {
    hostname: string;
    port: number;
    tls?: ListenOptions["tls"];
    http1?: boolean;
    http2?: boolean;
    fetch?: (request: Request) => Response | Promise<Response>;
  }): { port: number; stop(closeActive: boolean): Promise<void> };
}

/** Bun: `Bun.serve`. */
export const serve: Adapter = (options) => listenBun(options.fetch, options);

/** Serves a default export with options of Bun's own, such as routes, as `bun run` does; but for where it listens. */
export const serveOptions = (given: object, options: ListenOptions): Promise<Listening> => {
  const { unix: _, tls: _tls, ...rest } = given as { readonly unix?: unknown; readonly tls?: unknown };
  return listenBun(undefined, options, rest);
};

/** Listens with any handler; the bare server uses it too. */
export function listenBun(
  handler: ((request: Request) => Response | Promise<Response>) | undefined,
  options: ListenOptions,
  more: object = {},
): Promise<Listening> {
  const { hostname, port, protocol = "http", tls } = options;
  const spoken = {
    ...(tls === undefined ? {} : { tls }),
    ...(protocol.startsWith("h2") ? { http1: false, http2: true } : {}),
  };
  const { Bun } = globalThis as unknown as { Bun: BunServe };
  return new Promise((resolve, reject) => {
    try {
      const server = Bun.serve({
        ...more,
        hostname,
        port,
        ...spoken,
        ...(handler === undefined ? {} : { fetch: handler }),
      });
      resolve({
        url: urlOf(options, server.port),
        close: () => server.stop(true),
      });
    } catch (cause) {
      reject(new ListenError(options, cause));
    }
  });
}
