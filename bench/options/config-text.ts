import type { FoundRequest, Route } from "../apps/try-out.ts";

/** The contents of a first config. */
export interface FirstConfig {
  readonly server:
    | { readonly kind: "app" | "program"; readonly name: string; readonly file: string }
    | { readonly kind: "command"; readonly name: string; readonly words: string; readonly port: number | null };
  /** Runtimes to measure; null takes all. */
  readonly runtimes: readonly string[] | null;
  /** GET requests that answer well. */
  readonly requests: readonly FoundRequest[];
  /** Routes that need a body, which people have to add. */
  readonly others: readonly Route[];
  /** Parts of replies that differ by themselves or by runtime. */
  readonly ignore: readonly string[];
  /** Statuses that are right, where nothing answers well yet. */
  readonly expect: number | null;
}

/** The text of a first config: it runs unchanged, and its comments name the first keys to change. */
export function configText({ server, runtimes, requests, others, ignore, expect }: FirstConfig): string {
  const of = (name: string, what: string) =>
    `{ ${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: ${JSON.stringify(what)} }`;
  const asked = requests.map(({ path, expect }) =>
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
    "  // What is asked for most often: every request is sent equally often, unless it has a weight.",
    asked.length < 2
      ? `  request: ${asked[0] ?? '"GET /"'},`
      : `  request: [\n${asked.map((line) => `    ${line},\n`).join("")}  ],`,
    ...(others.length === 0 ? [] : ["  // To be added with a body each:"]),
    ...others.map(({ method, path }) => `  // ${JSON.stringify({ method, path, body: {} })},`),
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
