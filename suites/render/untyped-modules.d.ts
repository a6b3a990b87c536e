/** The parts used here of packages that bring no types of their own. */

declare module "react" {
  export interface ReactElement {
    readonly type: unknown;
  }
  export function createElement(type: unknown, props: object | null, ...children: unknown[]): ReactElement;
}

declare module "react-dom/server" {
  import type { ReactElement } from "react";

  export function renderToString(page: ReactElement): string;
  export function renderToReadableStream(page: ReactElement): Promise<ReadableStream<Uint8Array>>;
}
