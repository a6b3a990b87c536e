import { failure } from "../basics/errors.ts";
import { OWNER_VARIABLE, ownerTag } from "../machine/owner.ts";
import { runToEnd } from "../machine/programs.ts";
import { killMarked, MARK } from "../machine/server-processes.ts";
import { dirname } from "node:path";

/** The longest time for installing and building a revision, in ms. */
const INSTALL_MS = 1_200_000;

/** A shell line that installs packages, and where it runs. */
interface InstallRun {
  readonly line: string;
  /** The folder it runs in. */
  readonly at: string;
  /** The root of the tree: git looks for no repository above it. */
  readonly tree: string;
  /** The root of the user's work tree. */
  readonly root: string;
  /** The tree in words. */
  readonly where: string;
}

/**
 * Runs a line that installs packages, and ends it with all it started when its time is over.
 *
 * @throws BenchError that names the line and its last words if it fails
 */
export async function runInstall(
  { line, at, tree, root, where }: InstallRun,
  timeoutMs: number = INSTALL_MS,
): Promise<void> {
  const mark = `install-${ownerTag()}`;
  const variables = [
    // Files outside git that the base needs, such as a small database, can be copied from the work tree.
    `LEVELFIELD_WORK_TREE=${root}`,
    // A script such as husky's would write into the user's repository where the revision lies inside it.
    ...tree === root ? [] : [`GIT_CEILING_DIRECTORIES=${dirname(tree)}`],
    ...[`${OWNER_VARIABLE}=${ownerTag()}`, `${MARK}=${mark}`],
  ];
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    killMarked(mark);
  }, timeoutMs);
  const done = await runToEnd("env", [...variables, "sh", "-c", line], at, 2 * timeoutMs);
  clearTimeout(timer);
  if (done.code === 0 && !isLate) return;
  const late = isLate ? `it took more than ${timeoutMs / 60_000} minutes; ` : "";
  throw failure(
    `--install "${line}" failed in ${where}: ${late}${lastWords(`${done.stdout}\n${done.stderr}`)}`,
    `--install LINE, with a line that works in a checkout of it`,
  );
}

/** Lines of npm that say the cause before its advice, and lines that only lead elsewhere. */
const CAUSE = /can only install packages when|^npm \S+ (404|Missing:|Invalid:)/;
const ELSEWHERE = /complete log of this run|npm help |^npm (error|ERR!)\s*$/;

/** Returns the last line of an output that says something; npm's cause where its advice follows. */
export function lastWords(output: string): string {
  const lines = output.split("\n").map((line) => line.trim()).filter((line) => line !== "" && !ELSEWHERE.test(line));
  return lines.find((line) => CAUSE.test(line)) ?? lines.at(-1) ?? "it said nothing";
}
