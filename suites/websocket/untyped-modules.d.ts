/** The parts used here of a package that brings no types of its own. */
declare module "ws" {
  import type { IncomingMessage } from "node:http";
  import type { Duplex } from "node:stream";

  export interface ServerSocket {
    readonly protocol: string;
    readonly readyState: 0 | 1 | 2 | 3;
    on(event: "message", listener: (data: Uint8Array, isBinary: boolean) => void): this;
    on(event: "close", listener: (code: number, reason: Uint8Array) => void): this;
    on(event: "error", listener: (error: unknown) => void): this;
    off(event: "message", listener: (data: Uint8Array, isBinary: boolean) => void): this;
    send(data: string | ArrayBuffer | ArrayBufferView, options?: { binary?: boolean; compress?: boolean }): void;
    close(code?: number, reason?: string): void;
  }

  export class WebSocketServer {
    readonly options: { noServer?: boolean };
    constructor(options: { noServer: true });
    on(event: "connection", listener: (socket: ServerSocket, request: IncomingMessage) => void): this;
    on(event: "headers", listener: (headers: string[]) => void): this;
    off(event: "headers", listener: (headers: string[]) => void): this;
    emit(event: "connection", socket: ServerSocket, request: IncomingMessage): boolean;
    handleUpgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      opened: (socket: ServerSocket) => void,
    ): void;
    close(): void;
  }
}
