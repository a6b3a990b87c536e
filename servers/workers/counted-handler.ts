import type { Counter } from "./report.ts";

/** A handler of requests as runtimes take it. */
export type Handler = (request: unknown, ...more: unknown[]) => unknown;

/** State that the servers of a worker share. */
export interface Counted {
  readonly counter: Counter;
  readonly reusePort: boolean;
  /** To be called once a server listens. */
  listens(): void;
}

/** The same handler, counted. Deno decides by the number of parameters what to hand over. */
export function countedHandler(handler: Handler, counter: Counter): Handler {
  return handler.length > 1
    ? function (this: unknown, request, more) {
      counter.requests!++;
      return handler.call(this, request, more);
    }
    : function (this: unknown, request, ...more) {
      counter.requests!++;
      return handler.call(this, request, ...more);
    };
}
