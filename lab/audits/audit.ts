/** The audits of examples/audits: a folder each, with both sides as published, and claims.json with what was published. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { failure } from "../../bench/basics/errors.ts";
import { shellQuoted } from "../../bench/basics/shell.ts";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { memorySchema } from "../../bench/record/summary.ts";
import type { Published } from "./judge-claim.ts";
import { issueText } from "../../bench/record/issue-text.ts";

/** Values of axes that name one side of a claim; the other axes are equal on both sides. */
const sideSchema = z.record(z.string(), z.union([z.string(), z.number()]));

const addressSchema = z.string().regex(/^https:\/\/\w[\w./-]*$/);
const daySchema = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

/** Where figures were read, and the day; `copy` does not change, such as a file at a commit, and is null if none is known. */
const sourceSchema = z.strictObject({ page: addressSchema, copy: addressSchema.nullable(), read: daySchema });

/** A change of what an audit claims, measures or answers, and its day. */
const changeSchema = z.strictObject({ date: daySchema, what: z.string().min(1) });

const claimSchema = z.strictObject({
  /** The sentence of tables: `Bun over Node`. */
  text: z.string().min(1),
  over: sideSchema,
  under: sideSchema,
  /** The published figures of `over` and of `under`; of a ratio alone, the ratio and 1. */
  published: z.tuple([z.number().positive(), z.number().positive()]),
  /** The upper end of a published range of ratios, of which `published` has the lower one. */
  to: z.number().positive().optional(),
  /** The unit of these figures; `×` of a ratio alone. */
  unit: z.string().min(1),
  /** The figures of which less is better: times and memory. */
  better: z.enum(["higher", "lower"]).default("higher"),
  /** The figure here that the claim is held against: CPU time per request, memory, or the median wait at a fixed rate. */
  of: z.enum(["speed", "memory", "wait"]).default("speed"),
  /** The moment at which memory is read; right after the load if left out. */
  moment: memorySchema.shape.moment.optional(),
  /** Why quantity or set-up differ in kind from what was published; left out where they do not. */
  unlike: z.string().min(1).optional(),
  /** Where its figures were read, if elsewhere than the audit's. */
  source: sourceSchema.optional(),
});

/** A part of a set-up as published and here; "not given" is an answer. */
const bothSchema = z.tuple([z.string().min(1), z.string().min(1)]);

/** The parts of a set-up, in the order of a page's table. */
const setUpSchema = z.strictObject({
  measured: bothSchema,
  cores: bothSchema,
  load: bothSchema,
  payload: bothSchema,
  versions: bothSchema,
});

const runSchema = z.strictObject({
  /** The run's folder is results/audit-NAME. */
  name: z.string().regex(/^[a-z0-9-]+$/),
  /** The one thing that differs from the first run, as a heading; null for the first. */
  changed: z.string().min(1).nullable(),
  /** The words after `bench run`, from the project's folder. */
  words: z.array(z.string()).min(1),
  /** The day it was tried last and why that gave no answer, of a run that is not kept. */
  untold: z.strictObject({ date: daySchema, why: z.string().min(1) }).optional(),
  claims: z.array(claimSchema).min(1),
});

/** What claims.json holds. */
export const auditSchema = z.strictObject({
  /** The heading of its page. */
  title: z.string().min(1),
  source: sourceSchema,
  /** The folder with the lock file of packages that its programs need and this project does not have. */
  packages: z.string().min(1).optional(),
  /** What was measured and how, as published and here. */
  set_up: setUpSchema,
  /** True if these have a program to build, by their script "build". */
  builds: z.literal(true).optional(),
  /** The first is the claim as published, each other one changes one thing. */
  runs: z.array(runSchema).min(1),
  /** The oldest first: their number is the audit's version. */
  changes: z.array(changeSchema).min(1),
});

/** A published claim about two sides. */
export type Claim = z.infer<typeof claimSchema>;

/** Where figures were read. */
export type Source = z.infer<typeof sourceSchema>;

/** A run of an audit. */
export type AuditRun = z.infer<typeof runSchema>;

/** An audit under the name of its folder. */
export type Audit = z.infer<typeof auditSchema> & { readonly name: string };

const FOLDER = join(PROJECT_ROOT, "examples", "audits");

/** Returns the folder of an audit. */
export const auditFolder = (name: string): string => join(FOLDER, name);

const RESULTS = join(PROJECT_ROOT, "results");

/** Returns the name of the folder of a run that is kept. */
export const keptNameOf = ({ name }: Pick<AuditRun, "name">): string => `audit-${name}`;

/** Returns the folder of a run that is kept; of one on another kind of CPU than the first, with that kind. */
export const keptFolder = (run: Pick<AuditRun, "name">, cpuKind?: string): string =>
  join(RESULTS, `${keptNameOf(run)}${cpuKind === undefined ? "" : `-on-${cpuKind}`}`);

/** Returns the folders of a run's kept runs: the first one's, then those on other kinds of CPU. */
export const keptFolders = (run: Pick<AuditRun, "name">): string[] => {
  const others = readdirSync(RESULTS).filter((name) => name.startsWith(`${keptNameOf(run)}-on-`)).sort();
  return [keptFolder(run), ...others.map((name) => join(RESULTS, name))].filter((folder) => existsSync(folder));
};

/** Returns the command that measures a run. */
export const commandOf = ({ words }: Pick<AuditRun, "words">): string =>
  `bin/bench run ${words.map(shellQuoted).join(" ")}`;

/** Returns the published ratio of a claim, or their range: how many times better `over` is than `under`. */
export function publishedRatio({ published: [over, under], better, to }: Claim): Published {
  const ratio = better === "higher" ? over / under : under / over;
  return [ratio, to ?? ratio];
}

/** Returns the commands that install the packages of an audit's programs, and build these; none if they need nothing. */
export const installCommands = ({ packages, builds }: Pick<Audit, "packages" | "builds">): string[] =>
  packages === undefined
    ? []
    : [`npm ci --ignore-scripts --prefix ${packages}`, ...(builds ? [`npm run build --prefix ${packages}`] : [])];

/** Returns an audit's changes with one more: a run that was measured. What one day measures on one kind of CPU is one change. */
export function withMeasured(
  changes: Audit["changes"],
  { changed }: Pick<AuditRun, "changed">,
  { date, cpuKind }: { readonly date: string; readonly cpuKind: string },
): Audit["changes"] {
  const begin = `Measured on ${cpuKind}: `, run = changed ?? "as published", last = changes.at(-1);
  if (last?.date !== date || !last.what.startsWith(begin)) return [...changes, { date, what: `${begin}${run}.` }];
  const runs = last.what.slice(begin.length, -1).split("; ");
  return [...changes.slice(0, -1), {
    date,
    what: `${begin}${[...runs.filter((one) => one !== run), run].join("; ")}.`,
  }];
}

/** Writes the changes of an audit into its claims.json. */
export function writeChanges(name: string, changes: Audit["changes"]): void {
  const file = join(FOLDER, name, "claims.json");
  writeFileSync(file, `${JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), changes }, null, 2)}\n`);
}

/** Returns all audits by name. Throws for a file of claims that is none, with its path and its first fault. */
export function readAudits(): Audit[] {
  const names = readdirSync(FOLDER).filter((name) => existsSync(join(FOLDER, name, "claims.json"))).sort();
  return names.map((name) => ({ name, ...readAudit(join(FOLDER, name, "claims.json")) }));
}

function readAudit(file: string): z.infer<typeof auditSchema> {
  const read = auditSchema.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (read.success) return read.data;
  throw failure(`"${file}": ${issueText(read.error)}`, "see lab/audits/audit.ts", read.error);
}
