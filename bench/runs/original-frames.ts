/** Maps functions of built files to the source files they were written in, by source maps. */
import { SourceMap, type SourceMapPayload, type SourceMapping } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { orElse } from "../basics/errors.ts";
import { lookAt, readPlainFile } from "../files/plain-file.ts";
import type { SampledNode, SampledProfile } from "../why/samples-within.ts";

type Frame = SampledNode["callFrame"];

/** A part of a built file, from a line and column on: its map, with absolute sources, and their texts if the map has them. */
interface BuiltPart {
  readonly line: number;
  readonly column: number;
  readonly map: SourceMap;
  readonly texts: ReadonlyMap<string, string>;
}

/** Returns a profile with functions of built files at their original places, if a map can be read. */
export function withOriginals(profile: SampledProfile): SampledProfile {
  const files = new Map<string, readonly BuiltPart[]>();
  const partsOf = (url: string): readonly BuiltPart[] => {
    if (!files.has(url)) files.set(url, orElse(() => builtFile(url), []));
    return files.get(url)!;
  };
  const nodes = profile.nodes.map((node): SampledNode => {
    const { url } = node.callFrame;
    const isBuilt = /^(file:|\/)/.test(url) && !url.includes("/node_modules/");
    return isBuilt ? { ...node, callFrame: originalOf(node.callFrame, partsOf(url)) } : node;
  });
  return { ...profile, nodes };
}

function originalOf(frame: Frame, parts: readonly BuiltPart[]): Frame {
  const { functionName, lineNumber, columnNumber } = frame;
  // Code outside all functions has no name and stands first in its line: in a bundle it is of several files.
  const isOutside = /^(\(module\))?$/.test(functionName) && columnNumber <= 0;
  const part = parts.findLast(({ line, column }) => line < lineNumber || line === lineNumber && column <= columnNumber);
  if (part === undefined || isOutside) return frame;
  const { map, texts } = part;
  const lineInPart = lineNumber - part.line;
  const found: Partial<SourceMapping> = map.findEntry(lineInPart, columnNumber - (lineInPart === 0 ? part.column : 0));
  const { originalSource: url, originalLine = 0, originalColumn = 0 } = found;
  // An entry of another line is of other code: bundlers add functions of their own, which no entry has.
  if (url === undefined || found.generatedLine !== lineInPart) return frame;
  const line = texts.get(url)?.split("\n", originalLine + 1)[originalLine] ?? "";
  const name = nameAt(line, originalColumn);
  return {
    functionName: functionName === "" || name === null ? functionName : name,
    ...{ url, lineNumber: originalLine, columnNumber: originalColumn },
  };
}

/** The name of a function whose parameters, as engines have it, or whose name begins at a column; null without one. */
function nameAt(line: string, column: number): string | null {
  const before = /[\p{ID_Continue}$]*$/u.exec(line.slice(0, column))![0];
  const after = /^([\p{ID_Continue}$]*)\s*[(<]/u.exec(line.slice(column));
  const name = after === null ? "" : before + after[1]!;
  return name === "" || /^(function|async|get|set|static|constructor|\d.*)$/.test(name) ? null : name;
}

/** More is no server. */
const MOST_BYTES = 64 * 2 ** 20;
const MAP_COMMENT = /^[ \t]*\/[/*][#@] ?sourceMappingURL=([^\s*]+)/gm;

/** The map of a file by its last comment, else the one next to it; empty without any. Throws if it cannot be read. */
function builtFile(url: string): BuiltPart[] {
  const at = url.startsWith("/") ? pathToFileURL(url).href : url;
  const text = readPlainFile(fileURLToPath(at), MOST_BYTES).toString("utf8");
  const named = [...text.matchAll(MAP_COMMENT)].at(-1)?.[1];
  const mapUrl = new URL(named ?? `${at}.map`, at);
  const read = mapText(mapUrl);
  if (read === null) return [];
  const payload = JSON.parse(read.replace(/^\)\]\}.*/, "")) as Indexed;
  const base = mapUrl.protocol === "data:" ? at : mapUrl.href;
  const parts = payload.sections ?? [{ offset: { line: 0, column: 0 }, map: payload }];
  return parts.map(({ offset, map }): BuiltPart => {
    const absolute = withAbsoluteSources(map, base);
    const texts = absolute.sources.flatMap((source, n) => {
      const text = absolute.sourcesContent?.[n];
      return typeof text === "string" ? [[source, text] as const] : [];
    });
    return { ...offset, map: new SourceMap(absolute), texts: new Map(texts) };
  });
}

function mapText(url: URL): string | null {
  if (url.protocol === "data:") {
    const [, base64, data] = /^[^,]*?(;base64)?,(.*)$/s.exec(url.pathname)!;
    return base64 === undefined ? decodeURIComponent(data!) : Buffer.from(data!, "base64").toString("utf8");
  }
  const path = url.protocol === "file:" ? fileURLToPath(url) : null;
  return path === null || lookAt(path) === undefined ? null : readPlainFile(path, MOST_BYTES).toString("utf8");
}

/** A map, or one of sections, which not every runtime's SourceMap takes. */
type Indexed = SourceMapPayload & {
  readonly sections?: readonly {
    readonly offset: { readonly line: number; readonly column: number };
    readonly map: SourceMapPayload;
  }[];
};

function withAbsoluteSources(payload: SourceMapPayload, base: string): SourceMapPayload {
  const { sourceRoot = "", sources } = payload;
  const root = sourceRoot === "" ? base : new URL(sourceRoot.replace(/\/?$/, "/"), base).href;
  // Bun names sources of an inline map from the folder it ran in, which is mostly the one above.
  const urls = sources.map((source) =>
    [root, new URL("..", root).href].map((each) => orElse(() => new URL(source, each).href, source))
  ).map(([first, second]) => !isThere(first!) && isThere(second!) ? second! : first!);
  return { ...payload, sourceRoot: "", sources: urls };
}

/** False also for names that no file can have, which bundlers give to code of their own. */
const isThere = (url: string): boolean => orElse(() => lookAt(fileURLToPath(url)) !== undefined, false);
