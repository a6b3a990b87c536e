import { RUNTIME_NAMES, type RuntimeName } from "../../servers/runtime.ts";
import type { Finding } from "../record/finding.ts";
import type { Reading } from "../record/samples.ts";
import type { Generator, Installer } from "../generators/generator.ts";
import { GENERATORS } from "../generators/registry.ts";
import { findingOf, judgedBlocking, judgedDoubtful, judgedUnknown, judgedWell } from "../doctor/row.ts";
import { pinnedVersion } from "../runtimes/pinned-runtimes.ts";
import { inspectRuntime } from "../runtimes/runtimes.ts";
import { INSTALLED } from "../runtimes/project-folders.ts";
import { inspectGenerator } from "./equip.ts";

/** A program results depend on. */
export interface ToolFacts {
  readonly name: string;
  readonly version: Reading<string>;
  /** The versions this project was tested with, and the file that pins them. */
  readonly pinned: { readonly versions: readonly string[]; readonly by: string };
  readonly install: string;
  /** The purpose of a program that not every measurement needs. */
  readonly onlyFor?: string;
}

/** Every program results depend on, its version and the version it is pinned to. */
export async function inspectTools(): Promise<ToolFacts[]> {
  return await Promise.all([
    ...RUNTIME_NAMES.map(inspectRuntimeTool),
    // One row for each program: ontime is a script of wrk.
    ...Object.values(GENERATORS).filter(({ name, program }) => name === program).map(inspectLoad),
  ]);
}

/** Returns whether a program runs and has the pinned version, as a row of the doctor. */
export function judgeTool({ name, version, pinned: { versions, by }, install, onlyFor }: ToolFacts): Finding {
  const row = {
    title: name,
    cost: "figures differ between versions: runs with the pinned one do not compare with these",
  };
  if ("value" in version) {
    const pinned = versions.includes(version.value);
    const other = `${version.value}, not ${versions.join(" or ")} (${by})`;
    return findingOf(name, row, pinned ? judgedWell(`${version.value}, ${by}`) : judgedDoubtful(other, install));
  }
  return findingOf(
    name,
    row,
    onlyFor === undefined
      ? judgedBlocking(version.unreadable, install, "it cannot be measured with")
      : judgedUnknown(version.unreadable, install, `needed for ${onlyFor}`),
  );
}

async function inspectRuntimeTool(name: RuntimeName): Promise<ToolFacts> {
  const version = await asReading(inspectRuntime(name));
  const fromPath = "value" in version && version.value.origin === "path" && process.env["LEVELFIELD_TOOLS"] === "path";
  return {
    name,
    version: "value" in version ? { value: version.value.version.replace(/^v/, "") } : version,
    // Inside the Nix shell flake.lock pins the programs on PATH, so any version is the right one.
    pinned: fromPath && process.env["IN_NIX_SHELL"] !== undefined
      ? { versions: [version.value.version], by: "pinned by flake.lock" }
      : { versions: [pinnedVersion(name)], by: INSTALLED ? "tried with this version" : "pinned by package-lock.json" },
    install: INSTALLED ? `npm install ${name}` : "npm ci",
    ...(process.env["LEVELFIELD_TOOLS"] === "path" ? {} : { onlyFor: "measuring on it, and installed then" }),
  };
}

async function inspectLoad(generator: Generator): Promise<ToolFacts> {
  const { name, install, tried = [], neededFor } = generator;
  const found = await asReading(inspectGenerator(generator));
  return {
    name,
    // Debian's build of wrk puts a package name before the number and its revision after it.
    version: "value" in found
      ? { value: /\d+(\.\d+)+/.exec(found.value.generatorVersion)?.[0] ?? found.value.generatorVersion }
      : found,
    pinned: { versions: tried, by: "tried with this project" },
    install: installCommand(install),
    ...(neededFor === undefined ? {} : { onlyFor: neededFor }),
  };
}

/** The command for this system. */
function installCommand(install: Generator["install"]): string {
  const order: readonly Installer[] = process.platform === "darwin" ? ["npm", "brew", "nix"] : ["apt", "npm", "nix"];
  const installer = order.find((each) => each in install)!, command = install[installer]!;
  return installer === "apt" && process.getuid?.() !== 0 ? `sudo ${command}` : command;
}

async function asReading<T>(promise: Promise<T>): Promise<Reading<T>> {
  try {
    return { value: await promise };
  } catch (error) {
    return { unreadable: (error as Error).message };
  }
}
