/** Names what the run folders of a change add: `node lab/new-runs.ts BASE`, in CI with the revision that a pull request is against. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { usageError } from "../bench/basics/errors.ts";
import { counted, formatBytes } from "../bench/basics/units.ts";
import { visibleLine } from "../bench/basics/visible.ts";
import type { RunFiles } from "../bench/page/shown-run.ts";
import { readPublishedRun } from "../bench/runs/published-run.ts";
import { faultText, verify } from "../bench/runs/verify-run.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { type Audit, type AuditRun, keptNameOf, readAudits } from "./audits/audit.ts";
import { bytesOf, MOST_KEPT_BYTES } from "./audits/kept-bytes.ts";
import { heldAgainst } from "./audits/pages.ts";

/** What run folders add. */
interface Added {
  /** A line for each folder that is new or changed, by name. */
  readonly lines: readonly string[];
  /** The folders that do not follow from their raw lines. */
  readonly faulty: number;
}

/** A repository and the revision that it is held against. */
interface Against {
  readonly root: string;
  readonly base: string;
}

const git = ({ root }: Pick<Against, "root">, ...words: readonly string[]): string =>
  execFileSync("git", words, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28, stdio: ["ignore", "pipe", "pipe"] });

const bytesAt = ({ root, base }: Against, path: string): Buffer =>
  execFileSync("git", ["show", `${base}:${path}`], {
    cwd: root,
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "pipe"],
  });

const listOf = (text: string): string[] => text.split("\0").filter((path) => path !== "");

/**
 * Verifies each run folder under results/ that is not as in the base, and names what it adds: its audit or suite, its kind
 * of CPU, and whether that is new and the answer another one. Throws an Error of git for a revision that is none.
 */
export function newRuns(against: Against, audits: readonly Audit[] = readAudits()): Added {
  const changed = listOf(git(against, "diff", "--name-only", "-z", against.base, "--", "results"));
  const names = [...new Set(changed.flatMap((path) => /^results\/([^/]+)\//.exec(path)?.[1] ?? []))].sort()
    .filter((name) => name !== "schema");
  const before = runsBefore(against);
  let faulty = 0;
  const lines = names.map((name) => {
    const folder = join(against.root, "results", name);
    if (!existsSync(folder)) return visibleLine(`results/${name}: is removed`);
    const { faults } = verify(folder);
    if (faults.length > 0) faulty++;
    return visibleLine(
      `results/${name}: ${faults[0] ?? addedBy(name, readPublishedRun(folder), { against, before, audits })}`,
    );
  });
  return { lines, faulty };
}

/** A run of the base. */
interface Before {
  readonly name: string;
  readonly suite: string;
  readonly cpuKind: string;
}

function runsBefore(against: Against): Before[] {
  const files = listOf(git(against, "ls-tree", "-r", "-z", "--name-only", against.base, "results/"));
  return files.flatMap((path) => {
    const name = /^results\/([^/]+)\/run\.json$/.exec(path)?.[1];
    if (name === undefined) return [];
    const { plan, machine } = JSON.parse(git(against, "show", `${against.base}:${path}`));
    return [{ name, suite: String(plan?.suite?.name), cpuKind: String(machine?.cpu_kind) }];
  });
}

interface Known {
  readonly against: Against;
  readonly before: readonly Before[];
  readonly audits: readonly Audit[];
}

function addedBy(name: string, files: RunFiles, { against, before, audits }: Known): string {
  const isOf = (run: AuditRun, folder: string) =>
    keptNameOf(run) === folder || folder.startsWith(`${keptNameOf(run)}-on-`);
  const audit = audits.find(({ runs }) => runs.some((run) => isOf(run, name)));
  const run = audit?.runs.find((one) => isOf(one, name)), kind = files.run.machine.cpu_kind;
  const alike = before.filter((one) =>
    audit === undefined ? one.suite === files.run.plan.suite.name : audit.runs.some((each) => isOf(each, one.name))
  );
  const of = audit === undefined
    ? `suite ${files.run.plan.suite.name}`
    : `audit ${audit.name}, ${run!.changed ?? "as published"}`;
  const isNew = alike.every(({ cpuKind }) => cpuKind !== kind);
  const earlier = alike.find((one) => one.name === name) ??
    alike.find((one) => run !== undefined && isOf(run, one.name));
  const was = earlier === undefined ? undefined : { ...earlier, files: filesBefore(against, earlier.name) };
  const bytes = bytesOf(join(against.root, "results", name));
  return [
    `${of}, on ${kind}${isNew ? ", a new kind of CPU for it" : ""}`,
    run === undefined ? answerText(files, was?.files) : run.claims.map((claim) => {
      const now = heldAgainst(claim, files).verdict;
      const then = was?.files ? heldAgainst(claim, was.files).verdict : undefined;
      return `${claim.text}: ${now}${then === undefined || then === now ? "" : `, was ${then} on ${was!.cpuKind}`}`;
    }).join("; "),
    ...(bytes > MOST_KEPT_BYTES && audit !== undefined
      ? [`it has ${formatBytes(bytes)}, above ${formatBytes(MOST_KEPT_BYTES)}`]
      : []),
  ].join("; ");
}

function answerText({ summary: { answer } }: RunFiles, was: RunFiles | null | undefined): string {
  if (was?.summary.answer.sentence === answer.sentence) return "the answer is the same";
  return `${was ? "another answer" : "the answer"}: ${answer.sentence}`;
}

/** Returns a run of the base; null if that cannot be read, as one of an older schema. */
function filesBefore(against: Against, name: string): RunFiles | null {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-base-"));
  try {
    for (const path of listOf(git(against, "ls-tree", "-r", "-z", "--name-only", against.base, `results/${name}/`))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytesAt(against, path));
    }
    return readPublishedRun(join(folder, "results", name));
  } catch (error) {
    const why = faultText(error).replaceAll(`${folder}/`, "");
    process.stderr.write(visibleLine(`note: of ${against.base}: ${why}`) + "\n");
    return null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const [base] = process.argv.slice(2);
  if (base === undefined || base.startsWith("-")) throw usageError("no revision", "node lab/new-runs.ts origin/main");
  const { lines, faulty } = newRuns({ root: PROJECT_ROOT, base });
  process.stdout.write(
    `${[...lines, `${counted(lines.length, "run folder")} new or changed, ${faulty} faulty`].join("\n")}\n`,
  );
  process.exitCode = faulty === 0 ? 0 : 1;
}
