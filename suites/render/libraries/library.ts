import type { RowsPage } from "../../templates/pages.ts";

/** A library that renders the page, whole documents with a doctype. */
export interface Library {
  readonly string: (page: RowsPage) => string | Promise<string>;
  readonly stream: (page: RowsPage) => ReadableStream<Uint8Array> | Promise<ReadableStream<Uint8Array>>;
  /** Its imports as they are written there, to find the file of each: only that module can resolve them. */
  readonly imports: readonly string[];
}

/** Stands before pages of libraries that write none. */
export const DOCTYPE = "<!DOCTYPE html>";

/**
 * A stream of texts that are pushed, null being its end; the doctype comes first. What is pushed after its reader left is
 * let go: libraries go on.
 */
export function pushedStream(
  start: (push: (piece: string | null) => void, fail: (error: unknown) => void) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isRead = true;
  return new ReadableStream({
    cancel: () => void (isRead = false),
    start(controller) {
      controller.enqueue(encoder.encode(DOCTYPE));
      start(
        (piece) => isRead && (piece === null ? controller.close() : controller.enqueue(encoder.encode(piece))),
        (error) => isRead && controller.error(error),
      );
    },
  });
}
