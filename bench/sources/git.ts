import { usageError } from "../basics/errors.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { runToEnd } from "../machine/programs.ts";

/** From `git rev-parse --local-env-vars`, without settings: in a hook git would read the hook's repository. */
const OF_ONE_REPOSITORY = [
  ...["GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CEILING_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR", "GIT_GRAFT_FILE"],
  ...["GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_NO_REPLACE_OBJECTS", "GIT_OBJECT_DIRECTORY"],
  ...["GIT_PREFIX", "GIT_QUARANTINE_PATH", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_WORK_TREE"],
];

/** Takes these variables from this process, and so from all it starts: an app in a hook is not in the hook's repository. */
export function leaveHook(): void {
  for (const name of OF_ONE_REPOSITORY) delete process.env[name];
}

/** Settings by which git runs no hook of a repository and no watcher of its files. */
const NO_HOOKS = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"];

/** Runs git on the repository of a folder, whatever the caller's variables say, with its own or another index; no hook runs. */
export function gitIn(folder: string, args: readonly string[], timeoutMs?: number, index?: string) {
  const without = OF_ONE_REPOSITORY.flatMap((name) => ["-u", name]);
  const indexed = index === undefined ? [] : [`GIT_INDEX_FILE=${index}`];
  return runToEnd("env", [...without, ...indexed, "git", "-C", folder, ...NO_HOOKS, ...args], undefined, timeoutMs);
}

/** Runs git on this project's repository. */
export const git = (...args: string[]) => gitIn(PROJECT_ROOT, args);

/** The commit of a revision, undefined if there is none. Throws a usage error for one that git takes for an option. */
export async function findCommit(folder: string, ref: string): Promise<string | undefined> {
  if (ref.startsWith("-")) {
    throw usageError(`revision "${ref}" begins with a dash, as options do`, "name a branch, a tag or a commit");
  }
  const found = await gitIn(folder, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`]);
  const commit = found.stdout.trim();
  return found.code === 0 && /^[0-9a-f]{40}/.test(commit) ? commit : undefined;
}
