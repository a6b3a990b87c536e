import { Server as HttpServer } from "node:http";
import { Server as SocketServer } from "node:net";

type Listen = (...args: unknown[]) => unknown;

/** Runs something, and says whether anything in this process began to listen meanwhile; then all is as it was. */
export async function watchListening<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly listens: boolean }> {
  let listens = false;
  const holders: readonly (readonly [object | undefined, string])[] = [
    [SocketServer.prototype, "listen"],
    [HttpServer.prototype, "listen"],
    ...["Deno", "Bun"].map((name) =>
      [(globalThis as unknown as Record<string, object | undefined>)[name], "serve"] as const
    ),
  ];
  const restored = holders.flatMap(([holder, name]) => {
    const descriptor = holder === undefined ? undefined : Object.getOwnPropertyDescriptor(holder, name);
    if (descriptor === undefined) return [];
    const methods = holder as Record<string, Listen>;
    const plain = methods[name]!;
    methods[name] = function (this: unknown, ...args) {
      listens = true;
      return plain.apply(this, args);
    };
    return [() => descriptor.configurable ? Object.defineProperty(holder, name, descriptor) : methods[name] = plain];
  });
  try {
    return { value: await work(), listens };
  } finally {
    for (const restore of restored) restore();
  }
}
