import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { usageError } from "../basics/errors.ts";
import { firstFew, visible } from "../basics/visible.ts";
import { planActions, planPaths, type WholePlan } from "../plan/plan-actions.ts";
import { changedSinceKnown } from "../sources/known-plans.ts";
import { planContents } from "../sources/plan-contents.ts";
import type { StoredPlan } from "./stored-plan.ts";

/** The trust in a plan, and a listener for the lines on what it does. */
interface Trust {
  readonly trust: boolean;
  /** Receives the actions of the plan, a line each, also of a trusted one; without it the error lists them. */
  readonly say?: (line: string) => void;
  /** Hosts that the plan names and the command line does not. */
  readonly hosts?: NonNullable<WholePlan["hosts"]>;
}

/**
 * Lets a plan pass before anything it names is touched: one that names nothing besides this project's suites, one that
 * this user made or trusted here and whose files are as they were then, and one that is trusted now. Gives the plan with
 * the folder its paths are from.
 *
 * @throws BenchError that says what any other would do, and for paths that lead out of its folder, trusted or not
 */
export function trustedPlan(stored: StoredPlan, { trust, say, hosts = {} }: Trust): StoredPlan {
  const whole = { ...stored, hosts };
  const actions = planActions(whole);
  if (actions.length === 0) {
    if (trust) say?.("--trust changes nothing: the plan names nothing besides suites of this project");
    return stored;
  }
  refuseMovingCommit(stored);
  const here = process.cwd();
  const changed = changedSinceKnown(whole, here);
  const isKnown = changed?.length === 0;
  if (!isKnown) refuseOutside(stored, here);
  const since = changed === null || isKnown
    ? UNKNOWN
    : `${firstFew(changed.map(visible))} changed since the plan was made or trusted here`;
  if (trust && say !== undefined) {
    if (changed !== null && !isKnown) say(since);
    say("Trusted by --trust, this plan does, with all rights you have:");
    for (const action of actions) say(`  ${action}`);
    for (const [name, sha256] of planContents(whole, isKnown ? [here] : [here, stored.folder])) {
      say(`  with ${visible(name)} as it is now, SHA-256 ${sha256}`);
    }
  }
  // Files of a plan that was made here are searched only here.
  if (isKnown) return { ...stored, folder: here };
  if (trust) return stored;
  if (say === undefined) throw usageError(`${since}; it would ${actions.join("; ")}`, `trust: true, ${WHOM}`);
  say("This plan would, with all rights you have:");
  for (const action of actions) say(`  ${action}`);
  throw usageError(
    `${since}, and nothing of it was done`,
    `--trust, ${WHOM}; "bench verify" checks a run without it`,
  );
}

/** Refuses a revision named by a branch or the like, which may be another commit tomorrow. */
function refuseMovingCommit({ against }: StoredPlan): void {
  if (against === undefined || /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(against.commit)) return;
  throw usageError(
    `the plan's revision ${visible(against.ref)} is commit ${visible(against.commit)}, which is no whole hash`,
    "make a new plan: bench run SUITE --against REVISION --dry-run --json",
  );
}

function refuseOutside({ plan, folder }: StoredPlan, here: string): void {
  for (const { what, path } of planPaths(plan)) {
    if ([here, folder].every((each) => isInside(each, path, what === "home"))) continue;
    throw usageError(
      `the plan's ${what} ${visible(path)} is outside its folder, and the plan as it is now was not made here`,
      "measure it anew by its own command line: a plan from elsewhere names files in its folder",
    );
  }
}

const UNKNOWN = "the plan was not made by you in this folder";
const WHOM = "if you trust whoever made it";

/** True if a path, also behind links, stays in a folder. A home may also be a folder around it. */
function isInside(folder: string, path: string, isHome: boolean): boolean {
  if (isHome && /^\.\.([/\\]\.\.)*$/.test(path)) return true;
  const file = resolve(folder, path);
  if (isAbsolute(path) || leaves(folder, file)) return false;
  return !existsSync(file) || !leaves(realpathSync(folder), realpathSync(file));
}

function leaves(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
}
