import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { usageError } from "../basics/errors.ts";
import { visible } from "../basics/visible.ts";
import { planActions, planPaths, type WholePlan } from "../core/plan-actions.ts";
import { isKnownPlan } from "../host/known-plans.ts";
import type { StoredPlan } from "./stored-plan.ts";

/** How far a plan is trusted, and who is told what it would do. */
export interface Trust {
  /** Whether a person took it on themselves. */
  readonly trust: boolean;
  /** Gets what it would do, a line each; the error says it where nobody does. */
  readonly say?: (line: string) => void;
  /** Hosts that the plan names and not whoever runs it. */
  readonly hosts?: NonNullable<WholePlan["hosts"]>;
}

/**
 * Lets a plan pass before anything it names is touched: one that names nothing besides this project's own suites, one that
 * this user made here, and one that is trusted by a word. Gives the plan with the folder its paths are from.
 *
 * @throws BenchError that says what any other would do, and for paths that lead out of its folder, trusted or not
 */
export function trustedPlan(stored: StoredPlan, { trust, say, hosts = {} }: Trust): StoredPlan {
  const whole = { ...stored, hosts };
  const actions = planActions(whole);
  if (actions.length === 0) return stored;
  const here = process.cwd();
  // What was made from here is looked for here alone.
  if (isKnownPlan(whole, here)) return { ...stored, folder: here };
  for (const { what, path } of planPaths(stored.plan)) {
    if (![here, stored.folder].every((folder) => isInside(folder, path, what === "home"))) {
      throw usageError(
        `the plan's ${what} ${visible(path)} is outside its folder, and the plan was not made here`,
        "measure it anew by its own command line: a plan from elsewhere names files in its folder",
      );
    }
  }
  if (trust) return stored;
  if (say === undefined) {
    throw usageError(`${UNKNOWN}; it would ${actions.join("; ")}`, `trust: true, ${WHOM}`);
  }
  say("This plan would, with all rights you have:");
  for (const action of actions) say(`  ${action}`);
  throw usageError(
    `${UNKNOWN}, and nothing of it was done`,
    `--trust, ${WHOM}; "bench verify" checks a run without it`,
  );
}

const UNKNOWN = "the plan was not made by you in this folder";
const WHOM = "if you trust whoever made it";

/** Whether a path, and what links make of it, stays in a folder. A home may also be a folder around it. */
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
