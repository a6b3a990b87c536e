import { existsSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { failure, orElse, usageError } from "../basics/errors.ts";
import { type Failure, failureText } from "../basics/failures.ts";
import { runToEnd } from "../machine/programs.ts";
import { compareVersions, isVersionRange, requestedVersions } from "../plan/versions.ts";
import { startServer, stopServer } from "../process/start-server.ts";
import { fetchRuntime } from "../runtimes/fetch-runtime.ts";
import { npmVersions } from "../runtimes/npm-versions.ts";
import { fetchPinned, pinnedVersion } from "../runtimes/pinned-runtimes.ts";
import { INSTALLED } from "../runtimes/project-folders.ts";
import {
  fileSha256,
  inspectRuntime,
  locateRuntime,
  type RuntimeBinary,
  type RuntimeSpec,
  versionOf,
} from "../runtimes/runtimes.ts";
import { RUNTIME_NAMES, type RuntimeName } from "../../servers/runtime.ts";
import { present } from "../basics/present.ts";

/** The folder of fetched versions, and the way to get a missing pinned one. */
export interface RuntimeCache {
  readonly folder: string;
  /** The way with a missing version: `fetch` fetches it, `plan` only names it; else it is an error. */
  readonly missing?: "fetch" | "plan";
  /** Receives a line when a runtime is fetched. */
  readonly say?: (line: string) => void;
}

/** Finds all requested runtimes, each program once, in the order of their names and versions: see {@link resolveEach}. */
export async function resolveRuntimes(specs: readonly RuntimeSpec[], cache: RuntimeCache): Promise<RuntimeBinary[]> {
  return inOrderOfVersions((await resolveEach(specs, cache)).flat());
}

/** Runtimes as tables list them, each once: by name, the oldest version first. */
export function inOrderOfVersions(runtimes: readonly RuntimeBinary[]): RuntimeBinary[] {
  return [...new Set(runtimes)].sort((a, b) =>
    RUNTIME_NAMES.indexOf(a.name) - RUNTIME_NAMES.indexOf(b.name) || compareVersions(a.version, b.version)
  );
}

/**
 * Finds the runtimes of each wish and gives each a unique label, by the version it really has. Two files of one version get
 * the first digits of their hash; a program that two wishes share is one in both. Fetched versions that cannot serve here
 * are reported and left out. Throws if none is left.
 */
export async function resolveEach(specs: readonly RuntimeSpec[], cache: RuntimeCache): Promise<RuntimeBinary[][]> {
  const { missing, say: say = () => {} } = cache;
  if (missing === "fetch") await fetchPinned(specs.filter(isMissing).map(({ name }) => name), say);
  const found: RuntimeBinary[] = [];
  const refused: Failure[] = [];
  const each: RuntimeBinary[][] = [];
  for (const spec of specs) {
    const chosen: RuntimeBinary[] = [];
    for (const one of await exactSpecs(spec, cache)) {
      const runtime = await resolveRuntime(one, cache);
      if (typeof runtime === "string") {
        refused.push({ code: "cannot-serve", facts: { runtime: wantedText(one), fault: runtime } });
      } else chosen.push(sameProgram(runtime, found, say));
    }
    each.push(chosen);
  }
  if (specs.length > 0 && found.length === 0) throw failure(refused[0]!, "name a newer version, or a file");
  for (const one of refused) say(`${failureText(one)}; it is left out`);
  return each;
}

/** Returns the same runtime among those found, or this one, added to them with a unique label. */
function sameProgram(runtime: RuntimeBinary, found: RuntimeBinary[], say: (line: string) => void): RuntimeBinary {
  const alike = found.filter(({ name, version }) => name === runtime.name && version === runtime.version);
  const hash = alike.length === 0 ? "" : fileSha256(runtime.file);
  const twin = alike.find(({ file }) => fileSha256(file) === hash);
  if (twin !== undefined) {
    say(`"${twin.wanted}" and "${runtime.wanted}" are the same program, ${twin.label}: it is run once`);
    return twin;
  }
  const taken = found.some(({ label }) => label === runtime.label);
  found.push(taken ? { ...runtime, label: `${runtime.label}-${hash.slice(0, 8)}` } : runtime);
  return found.at(-1)!;
}

function isMissing({ name, source }: RuntimeSpec): boolean {
  if (source.kind !== "pinned" || !INSTALLED) return false;
  return orElse(() => locateRuntime(name), null) === null;
}

/** A wish, or one for each version that it stands for, the oldest first. */
async function exactSpecs(spec: RuntimeSpec, { folder, say: say = () => {} }: RuntimeCache): Promise<RuntimeSpec[]> {
  const { name, source } = spec;
  if (source.kind !== "range") return [spec];
  const versions = await versionsOf(name, source.text, folder);
  say(`${name}@${source.text} is ${versions.map((version) => `${name}@${version}`).join(", ")}`);
  return versions.map((version) => ({ name, source: { kind: "version", version } }));
}

/** The versions of a runtime that a range or a tag stands for, the oldest first. Throws where npm has none. */
export async function versionsOf(name: RuntimeName, text: string, folder: string): Promise<string[]> {
  const { versions, tags } = await npmVersions(name, folder);
  const isRange = isVersionRange(text);
  const known = isRange ? requestedVersions(text, versions) : Object.hasOwn(tags, text) ? [tags[text]!] : [];
  if (known.length > 0) return known;
  const newest = requestedVersions("0..999", versions).toReversed();
  if (name === "node" && text === "lts") {
    for (const version of newest) {
      const file = await fetchRuntime(name, version, folder);
      if ((await runToEnd(file, ["-p", "process.release.lts ?? ''"])).stdout.trim() !== "") return [version];
    }
  }
  throw usageError(
    `npm has no "${name}@${text}" for this platform`,
    isRange
      ? `the newest are ${newest.slice(0, 4).map((version) => `${name}@${version}`).join(", ")}`
      : `its tags are ${Object.keys(tags).join(", ")}; a file of yours: ${name}=/path/to/${name}`,
  );
}

/** Returns the user's words for a runtime: `node@24.1.0`, `node=/opt/node`, `node`. */
export const wantedText = ({ name, source }: RuntimeSpec) =>
  source.kind === "pinned"
    ? name
    : source.kind === "file"
    ? `${name}=${source.file}`
    : `${name}@${source.kind === "version" ? source.version : source.text}`;

async function resolveRuntime(spec: RuntimeSpec, { folder, missing }: RuntimeCache): Promise<RuntimeBinary | string> {
  const { name, source } = spec;
  if (missing === "plan" && isMissing(spec)) {
    return { name, label: name, wanted: name, file: "", version: pinnedVersion(name), origin: "fetched" };
  }
  if (source.kind === "pinned" || source.kind === "range") return await inspectRuntime(name);
  if (source.kind === "file" && !existsSync(source.file)) {
    throw failure(`there is no file "${source.file}"`, `name ${name}'s own file, or a version such as ${name}@1.2.3`);
  }
  const file = source.kind === "file" ? realpathSync(source.file) : await fetchRuntime(name, source.version, folder);
  const version = await versionOf(name, file).catch((error: Error) => error);
  if (typeof version !== "string") {
    if (source.kind === "file") throw version;
    return version.message;
  }
  const revision = await revisionOf(name, file);
  const runtime: RuntimeBinary = {
    name,
    label: `${name}@${version.replaceAll(/[^\w.+-]/g, "-")}`,
    wanted: wantedText(spec),
    file,
    version,
    ...present({ revision }),
    origin: source.kind === "file" ? "file" : "fetched",
  };
  return source.kind === "file" ? runtime : await whyNotServing(runtime) ?? runtime;
}

/** Returns what distinguishes builds of one version, as the program reports it; null if it does not. */
async function revisionOf(name: RuntimeName, file: string): Promise<string | null> {
  const ask = { node: ["-p", "`v8 ${process.versions.v8}`"], deno: ["--version"], bun: ["--revision"] }[name];
  const { code, stdout } = await runToEnd(file, ask);
  const printed = name === "deno" ? /^v8 \S+/m.exec(stdout)?.[0] ?? "" : stdout.trim().split("\n")[0]!;
  return code === 0 && printed !== "" ? printed.slice(0, 200) : null;
}

const BARE = fileURLToPath(new URL("../../servers/apps/bare.ts", import.meta.url));

/** Why a runtime cannot run this project's servers, which are for newer ones; null where it can. */
export async function whyNotServing(runtime: RuntimeBinary): Promise<string | null> {
  const spec = { kind: "app", runtime: runtime.label, module: BARE } as const;
  const server = await startServer({ spec, runtime, cpus: null });
  if ("unsupported" in server) return server.unsupported;
  if ("failed" in server) return server.failed.text;
  await stopServer(server);
  return null;
}

/** Finds a driver's runtimes on this host, fetched ones in a folder. Throws if one is of another version. */
export async function sameRuntimes(wanted: readonly RuntimeBinary[], folder: string): Promise<RuntimeBinary[]> {
  const found: RuntimeBinary[] = [];
  for (const runtime of wanted) {
    const [here] = await resolveRuntimes([runtimeSpecOf(runtime)], { folder });
    if (here!.version !== runtime.version) {
      throw failure(
        `${runtime.label} is ${here!.version} on the agent's host and ${runtime.version} on the driver's`,
        `install the same one on both, or name a version: --runtime ${runtime.name}@${runtime.version}`,
      );
    }
    found.push({ ...here!, label: runtime.label, wanted: runtime.wanted });
  }
  return found;
}

function runtimeSpecOf({ name, origin, version, wanted }: RuntimeBinary): RuntimeSpec {
  if (origin === "fetched") return { name, source: { kind: "version", version } };
  if (origin === "file") return { name, source: { kind: "file", file: wanted.slice(wanted.indexOf("=") + 1) } };
  return { name, source: { kind: "pinned" } };
}
