import { firstFew, visible } from "../basics/visible.ts";
import type { UserServer, UserSpec } from "../record/user-spec.ts";
import type { Plan } from "../record/plan.ts";
import { namesSecret } from "../basics/secret-names.ts";

/** Hosts requested by name. */
export interface HostOptions {
  /** The command that leads to each; this machine by default. */
  readonly server?: string | undefined;
  readonly load?: string | undefined;
  /** The host of services; the servers' host by default. */
  readonly service?: string | undefined;
  /** Address servers listen on: `auto` is the first of their host that others reach; loopback by default. */
  readonly address?: string | undefined;
  /** The address of services, likewise. */
  readonly serviceAddress?: string | undefined;
}

/** A plan with all that is executed for it. */
export interface WholePlan {
  readonly plan: Plan;
  /** Requested runtimes; null if only the plan is known. */
  readonly wanted: readonly string[] | null;
  readonly against: { readonly ref: string; readonly commit: string } | undefined;
  /** Hosts that the plan names and the command line does not. */
  readonly hosts?: HostOptions;
}

/** Returns what a plan would execute, read or send outside this project's suites, each in words for people. */
export function planActions({ plan, wanted, against, hosts = {} }: WholePlan): string[] {
  const { module, own: spec } = plan.suite;
  return [
    ...(spec === undefined ? [] : actionsOfUser(spec)),
    ...(module === null ? [] : [`import the suite ${visible(module)}`]),
    ...shown(
      "modules",
      modulesIn(plan),
      ({ value, file }) => `import the module ${visible(file)}, as ${visible(value)}`,
    ),
    ...shown(
      "runtimes",
      runtimesIn(plan, wanted),
      (word) => `${/^[^@=]*=/.test(word) ? "run" : "fetch and run"} the runtime ${visible(word)}`,
    ),
    ...(against === undefined
      ? []
      : [`check out and run revision ${visible(against.ref)}, commit ${visible(against.commit)}`]),
    ...[hosts.server, hosts.load, hosts.service].flatMap((command) =>
      command === undefined ? [] : [`reach a host by the command ${visible(command)}`]
    ),
    ...[hosts.address, hosts.serviceAddress].flatMap((address) =>
      address === undefined ? [] : [`listen on the address ${visible(address)}`]
    ),
  ];
}

/** Files and folders that a plan names, each with what it is; see {@link planActions}. */
export function planPaths({ suite, axes }: Pick<Plan, "suite" | "axes">): { readonly what: string; path: string }[] {
  const { module, own: spec } = suite;
  return [
    ...(spec?.servers ?? []).flatMap((server) => server.kind === "app" ? [{ what: "app", path: server.module }] : []),
    ...(spec?.servers ?? []).flatMap((server) =>
      server.kind === "target" || server.home === undefined ? [] : [{ what: "home", path: server.home }]
    ),
    ...Object.values(spec?.draws ?? {}).flatMap((draw) =>
      draw.kind === "rows" ? [{ what: "rows", path: draw.file }] : []
    ),
    ...(module === null ? [] : [{ what: "suite", path: module }]),
    ...modulesIn({ axes }).map(({ file }) => ({ what: "module", path: file })),
  ];
}

/**
 * Words of a plan that may name files, each with the folder it is from. Files whose hash the plan holds are left out: they
 * are compared with it before anything of them runs.
 */
export function planWords(
  { plan: { suite: { module, source, own: spec }, ...plan }, wanted, hosts = {} }: WholePlan,
): { readonly home: string; readonly word: string }[] {
  const from = (home: string, words: readonly string[]) => words.map((word) => ({ home, word }));
  const rows = Object.values(spec?.draws ?? {}).flatMap((draw) => draw.kind === "rows" ? [draw.file] : []);
  const runtimes = runtimesIn(plan, wanted).map((word) => word.replace(/^[^@=]*=/, ""));
  const commands = [hosts.server, hosts.load, hosts.service].filter((command) => command !== undefined);
  return [
    ...from(".", [...(module === null || source !== undefined ? [] : [module]), ...rows, ...runtimes, ...commands]),
    ...(spec?.servers ?? []).flatMap((server) => {
      if (server.kind === "target") return [];
      if (server.kind === "app") return from(server.home, server.listens?.args ?? []);
      const held = server.files.map(({ path }) => path);
      return from(server.home ?? ".", server.command.filter((word) => !held.includes(word)));
    }),
  ];
}

function actionsOfUser({ servers, env, draws, requests, samples }: UserSpec): string[] {
  const targets = servers.some(({ kind }) => kind === "target");
  const sent = targets ? [...requests, ...samples].map(({ method, path }) => `${method} ${path}`) : [];
  // Secrets come first, so that none is among those that are only counted.
  const names = env.toSorted((a, b) => Number(namesSecret(b)) - Number(namesSecret(a))).map(visible);
  const files = Object.values(draws).flatMap((draw) => draw.kind === "rows" ? [draw.file] : []);
  return [
    ...shown("servers", servers, actionOf),
    ...shown("requests", [...new Set(sent)], (each) => `send ${visible(each)} to it`),
    ...(names.length === 0
      ? []
      : [`hand your variable${names.length === 1 ? "" : "s"} ${firstFew(names, MOST_NAMES)} to them`]),
    ...shown("files", files, (file) => `send lines of the file ${visible(file)}`),
  ];
}

const MOST_NAMES = 20, MOST_WORDS = 50;
/** Limits that keep lines on one screen: people's plans have fewer. Lines of code that runs may be more. */
const MOST_LINES = { servers: 50, modules: 50, runtimes: 50, requests: 10, files: 10 };

/** A line for each thing of a kind, up to its limit, and one that counts the others. */
function shown<T>(kind: keyof typeof MOST_LINES, named: readonly T[], lineOf: (each: T) => string): string[] {
  const most = MOST_LINES[kind];
  const more = named.length > most ? [`and the same with ${named.length - most} more ${kind}: read the plan`] : [];
  return [...named.slice(0, most).map(lineOf), ...more];
}

const wordsText = (words: readonly string[]) => firstFew(words.map(visible), MOST_WORDS, " ");

function actionOf(server: UserServer): string {
  switch (server.kind) {
    case "app":
      return server.listens === undefined
        ? `import the app ${visible(server.module)}, in ${visible(server.home)}`
        : `run the program ${wordsText([server.module, ...server.listens.args])}, in ${visible(server.home)}`;
    case "command":
      return `run the command ${wordsText(server.command)}, in ${visible(server.home ?? ".")}`;
    case "target":
      return `load the server at ${visible(server.url)}${server.pid === null ? "" : `, process ${server.pid}`}`;
  }
}

const modulesIn = ({ axes }: Pick<Plan, "axes">) =>
  axes.flatMap(({ values }) =>
    values.flatMap(({ value, facts: { file, sha256 } }) =>
      file === undefined || sha256 === undefined ? [] : [{ value: String(value), file }]
    )
  );

/** Words for runtimes that are not the pinned ones. */
function runtimesIn({ cells }: Pick<Plan, "cells">, wanted: WholePlan["wanted"]): string[] {
  const values = cells.flatMap(({ point }) => Object.values(point.at)).map(String);
  const words = wanted ?? values.filter((word) => /^(node|deno|bun)[@=]/.test(word));
  return [...new Set(words)].filter((word) => /[@=]/.test(word));
}
