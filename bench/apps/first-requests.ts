import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { orElse } from "../basics/errors.ts";
import type { Route } from "./routes-in-source.ts";

/** A request of a first file of requests, as it was asked. */
export interface FirstRequest {
  readonly method: string;
  readonly path: string;
  /** Why it is left out of runs: a comment; null where it is sent. */
  readonly why: string | null;
  /** Statuses alone are compared, where replies differ each time. */
  readonly expect?: readonly number[];
}

/** Folders that hold no routes of the server itself. */
const NO_SOURCE = /^(node_modules|tests?|__tests__|spec|dist|build|public|client|frontend|coverage|\..*)$/;
const SOURCE = /(?<!\.(test|spec|d|config))\.[cm]?[jt]sx?$/;
const MOST_FILES = 500;

/** The text of a folder's source files, by their paths from it. */
export function sourcesOf(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  const folders = [folder];
  for (let at = folders.shift(); at !== undefined && found.size < MOST_FILES; at = folders.shift()) {
    const inside = at;
    // Somebody else's cannot be read.
    const entries: Dirent[] = orElse(() => readdirSync(inside, { withFileTypes: true }), []);
    for (const entry of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
      const path = join(at, entry.name);
      if (entry.isDirectory() && !NO_SOURCE.test(entry.name)) folders.push(path);
      if (!entry.isFile() || !(SOURCE.test(entry.name) || entry.name === "www")) continue;
      found.set(relative(folder, path).replaceAll("\\", "/"), readFileSync(path, "utf8"));
    }
  }
  return found;
}

/** Lines of a first file of requests: those that answered, those whose bodies are to be filled in, and why others are left out. */
export function requestLines(asked: readonly FirstRequest[], others: readonly Route[]): string {
  const line = (request: object) => JSON.stringify(request);
  const bodies = others.map(({ method, path }) =>
    method === "DELETE"
      ? line({ method, path, todo: "say what it may delete" })
      : line({ method, path, body: {}, todo: "fill in its body" })
  );
  return [
    "// A line is a request: method, path, headers, body, weight, expect, draws. Lines of // are left out.",
    ...asked.flatMap(({ why, expect, ...request }) =>
      why === null ? [line({ ...request, ...(expect === undefined ? {} : { expect }) })] : []
    ),
    ...(bodies.length === 0 ? [] : ["// A run refuses these until they are filled in, or taken out."]),
    ...bodies,
    ...asked.flatMap(({ why, method, path }) => why === null ? [] : [`// ${line({ method, path })}  ${why}`]),
    "",
  ].join("\n");
}
