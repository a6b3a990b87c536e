/** The parts used here of packages that bring no types of their own. */

/** Express, 4 and 5 alike. */
declare module "express" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface ExpressRequest extends IncomingMessage {
    params: Record<string, string>;
    first?: number;
    second?: number;
  }
  interface ExpressResponse extends ServerResponse {
    status(code: number): ExpressResponse;
    send(body: string): ExpressResponse;
  }
  interface ExpressApp {
    (request: IncomingMessage, response: ServerResponse): void;
    use(middleware: (request: ExpressRequest, response: ExpressResponse, next: () => void) => void): void;
    get(path: string, handler: (request: ExpressRequest, response: ExpressResponse) => void): void;
  }
  export default function express(): ExpressApp;
}

declare module "express4" {
  export { default } from "express";
}

declare module "koa" {
  import type { RequestListener } from "node:http";

  export interface KoaContext {
    state: { first?: number; second?: number };
    params: Record<string, string>;
    status: number;
    body: unknown;
  }
  export type KoaMiddleware = (context: KoaContext, next: () => Promise<unknown>) => unknown;

  export default class Koa {
    use(middleware: KoaMiddleware): void;
    callback(): RequestListener;
  }
}

/** It brings types, which need those of Koa that this file stands for. */
declare module "@koa/router" {
  import type { KoaMiddleware } from "koa";

  export default class Router {
    get(path: string, handler: KoaMiddleware): void;
    routes(): KoaMiddleware;
  }
}

declare module "polka" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  interface PolkaRequest extends IncomingMessage {
    params: Record<string, string>;
    first?: number;
    second?: number;
  }
  interface Polka {
    readonly handler: RequestListener;
    use(middleware: (request: PolkaRequest, response: ServerResponse, next: () => void) => void): void;
    get(path: string, handler: (request: PolkaRequest, response: ServerResponse) => void): void;
  }
  export default function polka(): Polka;
}

declare module "@oakserver/oak" {
  interface OakContext<State> {
    state: State;
    params: Record<string, string>;
    response: { status: number; body: unknown };
  }
  type OakMiddleware<State> = (context: OakContext<State>, next: () => Promise<unknown>) => unknown;

  export class Router<State> {
    get(path: string, handler: OakMiddleware<State>): void;
    routes(): OakMiddleware<State>;
  }
  export class Application<State> {
    use(middleware: OakMiddleware<State>): void;
    handle(request: Request): Promise<Response | undefined>;
  }
}
