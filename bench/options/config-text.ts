import type { TriedOut } from "../apps/try-out.ts";

/** The contents of a first config. */
export interface FirstConfig extends Pick<TriedOut, "requests" | "others" | "ignore"> {
  readonly server:
    | { readonly kind: "app" | "program"; readonly name: string; readonly file: string }
    | { readonly kind: "command"; readonly name: string; readonly words: string; readonly port: number | null };
  /** Runtimes to measure; null takes all. */
  readonly runtimes: readonly string[] | null;
}

/**
 * The text of a first config: it runs unchanged where a path answered well, and its comments name the first keys to
 * change. Without such a path it has no request: a reply that is an error is no default.
 */
export function configText({ server, runtimes, requests, others, ignore }: FirstConfig): string {
  const of = (name: string, what: string) =>
    `{ ${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: ${JSON.stringify(what)} }`;
  const requestLines = requests.map(({ path, expect }) =>
    JSON.stringify(expect === undefined ? `GET ${path}` : { path, expect })
  );
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
    ...(requestLines.length === 0
      ? ["  // No path was found that answers well: name one that does.", '  // request: "GET /PATH",']
      : ["  // What is asked for most often: every request is sent equally often, unless it has a weight."]),
    ...(requestLines.length === 1 ? [`  request: ${requestLines[0]},`] : []),
    ...(requestLines.length > 1 ? [`  request: [\n${requestLines.map((line) => `    ${line},\n`).join("")}  ],`] : []),
    ...(others.length === 0 ? [] : ["  // To be added with a body each:"]),
    ...others.map(({ method, path }) => `  // ${JSON.stringify({ method, path, body: {} })},`),
    ...(ignore.length === 0 ? [] : [
      "  // What differed by itself, or by runtime, when it was asked twice.",
      `  ignore: ${JSON.stringify(ignore)},`,
    ]),
    ...(runtimes === null ? [] : [`  at: { runtime: ${JSON.stringify(runtimes)} },`]),
    "  // Minutes for a first look. Without it a run takes longer and sees smaller differences.",
    "  quick: true,",
    "});",
    "",
  ].join("\n");
}
