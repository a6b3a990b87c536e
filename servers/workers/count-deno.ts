import { type Counted, countedHandler, type Handler } from "./counted-handler.ts";

/** Has `Deno.serve` count requests and listen as workers do. */
export function countDeno({ counter, reusePort, listens }: Counted): void {
  const { Deno } = globalThis as unknown as { Deno: { serve(...args: unknown[]): unknown } };
  const { serve } = Deno;
  Deno.serve = (...args) => {
    const options = args.find((value) => typeof value === "object" && value !== null) as { readonly handler?: Handler };
    const handler = args.find((value) => typeof value === "function") as Handler | undefined ?? options?.handler;
    const { handler: _, ...given } = { ...options, ...(reusePort ? { reusePort } : {}) };
    const server = serve.call(Deno, given, ...(handler === undefined ? [] : [countedHandler(handler, counter)]));
    listens();
    return server;
  };
}
