/** What a first config says. */
export interface FirstConfig {
  readonly server:
    | { readonly kind: "app" | "program"; readonly name: string; readonly file: string }
    | { readonly kind: "command"; readonly name: string; readonly words: string; readonly port: number | null };
  /** Runtimes to measure; null takes all. */
  readonly runtimes: readonly string[] | null;
  readonly paths: readonly string[];
  /** The file of requests written beside it, in place of paths; null where there is none. */
  readonly requests: string | null;
  /** Parts of replies that differ by themselves or by runtime. */
  readonly ignore: readonly string[];
  /** Statuses that are right, where nothing answers well yet. */
  readonly expect: number | null;
}

/** The text of a first config: it runs as it is, and says what to change first. */
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
