import type { Readable } from "node:stream";

/** Longest line either side takes: a generator's report may be megabytes, a flood must not fill the memory. */
const MOST_CHARS = 64 << 20;

/**
 * Tells each line of a stream as it comes, and when the stream is over.
 *
 * @param onOver told once, with what stood after the last line feed
 */
export function readLines(stream: Readable, onLine: (line: string) => void, onOver: () => void): void {
  let parts: string[] = [];
  let chars = 0;
  let over = false;
  const end = () => {
    if (!over) onOver();
    over = true;
  };
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const [head, ...begun] = text.split("\n");
    parts.push(head!);
    chars += head!.length;
    for (const next of begun) {
      const line = parts.join("");
      parts = [next];
      chars = next.length;
      onLine(line);
    }
    if (chars > MOST_CHARS) stream.destroy();
  });
  stream.on("end", end);
  stream.on("close", end);
  stream.on("error", end);
}
