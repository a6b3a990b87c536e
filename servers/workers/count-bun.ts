import { type Counted, countedHandler, type Handler } from "./counted-handler.ts";

/** Has `Bun.serve` count requests and listen as workers do. */
export function countBun({ counter, reusePort, listens }: Counted): void {
  const { Bun } = globalThis as unknown as { Bun: { serve(options: object): unknown } };
  const { serve } = Bun;
  Bun.serve = (options: { readonly fetch?: Handler; readonly routes?: unknown }) => {
    // Replies of Bun's routes bypass the handler.
    if (options.routes !== undefined) counter.requests = null;
    const { fetch } = options;
    const server = serve.call(Bun, {
      ...options,
      ...(reusePort ? { reusePort } : {}),
      ...(fetch === undefined ? {} : { fetch: countedHandler(fetch, counter) }),
    });
    listens();
    return server;
  };
}
