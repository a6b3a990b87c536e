import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { orElse } from "../basics/or-else.ts";
import { planActions, type WholePlan } from "../core/plan-actions.ts";
import { userFolder } from "./own-folders.ts";

/** So many plans are remembered, the newest: a run is gone on with soon or not at all. */
const MOST = 1_000;
/** Those of this process, where the folder cannot be written to. */
const here = new Set<string>();

/**
 * Remembers that the user made a plan, so that it is measured again without a word; nothing for one anybody may measure. What cannot be written is forgotten
 * with this process.
 * @param from the folder it is measured from, which is part of it: its commands and paths are from there
 */
export function rememberPlan(whole: WholePlan, from: string): void {
  if (planActions(whole).length === 0) return;
  const key = keyOf(whole, from);
  here.add(key);
  try {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    if (!isOwn()) return;
    writeFileSync(join(folder(), key), "");
    const age = (name: string) => statSync(join(folder(), name)).mtimeMs;
    const names = readdirSync(folder());
    if (names.length <= MOST) return;
    const oldest = names.map((name) => ({ name, at: age(name) })).sort((a, b) => a.at - b.at);
    for (const { name } of oldest.slice(0, names.length - MOST)) rmSync(join(folder(), name), { force: true });
  } catch {
    // It costs a word later: no reason to fail.
  }
}

/** Whether {@link rememberPlan} was told of exactly this, here. */
export function isKnownPlan(whole: WholePlan, from: string): boolean {
  const key = keyOf(whole, from);
  if (here.has(key)) return true;
  return orElse(() => isOwn() && lstatSync(join(folder(), key)).isFile(), false);
}

const folder = () => join(userFolder(), "known-plans");

/** Whether nobody else can have written there. */
function isOwn(): boolean {
  const found = lstatSync(folder());
  return found.isDirectory() && (found.mode & 0o077) === 0 && found.uid === (process.getuid?.() ?? found.uid);
}

/** SHA-256 of all that is executed, in hexadecimal; the order of names in objects is none of it. */
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
