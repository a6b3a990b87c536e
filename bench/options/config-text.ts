import type { FirstRequest, Route } from "../apps/try-out.ts";

/** The contents of a first config. */
export interface FirstConfig {
  readonly server:
    | { readonly kind: "app" | "program"; readonly name: string; readonly file: string }
    | { readonly kind: "command"; readonly name: string; readonly words: string; readonly port: number | null };
  /** Runtimes to measure; null takes all. */
  readonly runtimes: readonly string[] | null;
  readonly paths: readonly string[];
  /** The file of requests in the same folder, which replaces paths; null without one. */
  readonly requests: string | null;
  /** Parts of replies that differ by themselves or by runtime. */
  readonly ignore: readonly string[];
  /** Statuses that are right, where nothing answers well yet. */
  readonly expect: number | null;
}

/** The text of a first config: it runs unchanged, and its comments name the first keys to change. */
export function configText({ server, runtimes, paths, requests, ignore, expect }: FirstConfig): string {
  const of = (name: string, what: string) =>
    `{ ${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: ${JSON.stringify(what)} }`;
  const request = paths.length === 0 ? ["GET /"] : paths.map((path) => `GET ${path}`);
  return [
    'import { defineConfig } from "levelfield";',
    "",
    "/** Written by bench init. docs/configuration.md of Levelfield has every key; what is given by hand wins over it. */",
    "export default defineConfig({",
    ...(server.kind === "program"
      ? ["  // Started on each runtime, with the port in PORT. Where / is no path of it, `ready` names one that is."]
      : []),
    ...(server.kind !== "command"
      ? [`  ${server.kind}: ${of(server.name, server.file)},`]
      : [`  command: ${of(server.name, server.words)},`, ...(server.port === null ? [] : [`  port: ${server.port},`])]),
    "  // What is asked for most often: every request is sent equally often, unless it has a weight.",
    requests !== null
      ? `  requests: ${JSON.stringify(requests)},`
      : request.length === 1
      ? `  request: ${JSON.stringify(request[0])},`
      : `  request: [\n${request.map((line) => `    ${JSON.stringify(line)},\n`).join("")}  ],`,
    ...(ignore.length === 0 ? [] : [
      "  // What differed by itself, or by runtime, when it was asked twice.",
      `  ignore: ${JSON.stringify(ignore)},`,
    ]),
    ...(expect === null ? [] : [
      "  // Nothing was found that answers well: put a path of yours above, and take this away.",
      `  expect: ${expect},`,
    ]),
    ...(runtimes === null ? [] : [`  at: { runtime: ${JSON.stringify(runtimes)} },`]),
    "  // Minutes for a first look. Without it a run takes longer and sees smaller differences.",
    "  quick: true,",
    "});",
    "",
  ].join("\n");
}

/** The text of a first file of requests: those that answered, those whose bodies are to be filled in, and the others as comments. */
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
