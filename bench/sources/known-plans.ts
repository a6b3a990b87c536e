import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { orElse } from "../basics/errors.ts";
import { planActions, type WholePlan } from "../plan/plan-actions.ts";
import { userFolder } from "../runtimes/project-folders.ts";
import { readPlainFile, writePlainFile } from "../files/plain-file.ts";
import { changedContents, type Contents, planContents } from "./plan-contents.ts";

/** The number of plans that are remembered, the newest: a run is resumed soon or not at all. */
const MOST = 1_000;
/** Plans of this process, in case the folder is not writable. */
const here = new Map<string, Contents>();
const contentsSchema: z.ZodType<Contents> = z.array(z.tuple([z.string(), z.string()]));

/**
 * Remembers that the user made or trusted a plan, with the contents of the files it names, so that it is measured again
 * without `--trust`. A plan that anybody may measure is not remembered. If nothing can be written, the process remembers it.
 *
 * @param from the folder it is measured from, which is part of it: its commands and paths are from there
 */
export function rememberPlan(whole: WholePlan, from: string): void {
  if (planActions(whole).length === 0) return;
  const key = keyOf(whole, from);
  const contents = planContents(whole, [from]);
  here.set(key, contents);
  try {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    if (!isKnownHere()) return;
    writePlainFile(join(folder(), key), JSON.stringify(contents));
    const age = (name: string) => statSync(join(folder(), name)).mtimeMs;
    const names = readdirSync(folder());
    if (names.length <= MOST) return;
    const oldest = names.map((name) => ({ name, at: age(name) })).sort((a, b) => a.at - b.at);
    for (const { name } of oldest.slice(0, names.length - MOST)) rmSync(join(folder(), name), { force: true });
  } catch {
    // If this fails, the user has to trust the plan again: no reason to stop.
  }
}

/** The files that changed since {@link rememberPlan} was given this plan here; null for any other plan. */
export function changedSinceKnown(whole: WholePlan, from: string): string[] | null {
  const key = keyOf(whole, from);
  const before = here.get(key) ?? orElse(() => isKnownHere() ? rememberedIn(join(folder(), key)) : null, null);
  return before === null ? null : changedContents(before, planContents(whole, [from]));
}

const rememberedIn = (file: string): Contents => contentsSchema.parse(JSON.parse(readPlainFile(file).toString("utf8")));

const folder = () => join(userFolder(), "known-plans");

/** Returns true if no other user can have written there. */
function isKnownHere(): boolean {
  const found = lstatSync(folder());
  return found.isDirectory() && (found.mode & 0o077) === 0 && found.uid === (process.getuid?.() ?? found.uid);
}

/** SHA-256 of everything that is executed, in hexadecimal, independent of the order of keys. */
function keyOf({ plan, wanted, against, hosts = {} }: WholePlan, from: string): string {
  const { ref, commit } = against ?? { ref: null, commit: null };
  const { server = null, load = null, address = null } = hosts;
  const { service, serviceAddress } = hosts;
  const all = { plan, wanted, ref, commit, server, load, address, service, serviceAddress, from };
  const sorted = (_: string, value: unknown) =>
    typeof value !== "object" || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(all, sorted)).digest("hex");
}
