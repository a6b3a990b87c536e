/**
 * The rules of the house, read off the source: who may import whom, who may exit, where runtimes' globals may be. The file is
 * longer than others because each rule stands beside the offenders it must see.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { test } from "node:test";
import { DRIVER, ON_THREE } from "./runner/folders.ts";
import { isTest, type Source, sourcesIn, withoutComments } from "./sources.ts";

interface Import {
  /** A path from the project's folder, or the name of a package. */
  readonly target: string;
  /** Nothing of it is left at run time. */
  readonly typeOnly: boolean;
}

function importsOf({ path, text }: Source): Import[] {
  const code = withoutComments(text);
  const found: Import[] = [];
  const add = (name: string, typeOnly: boolean) =>
    found.push({ target: name.startsWith(".") ? posix.join(dirname(path), name) : name, typeOnly });
  for (const [, clause, name] of code.matchAll(/^\s*(?:import|export)\s+([^;"']*?)\s*from\s*["']([^"']+)["']/gm)) {
    const names = /^\{([\s\S]*)\}$/.exec(clause!.trim())?.[1]?.split(",").map((one) => one.trim()).filter(Boolean);
    const typeOnly = /^type\b/.test(clause!) || (names?.every((one) => one.startsWith("type ")) ?? false);
    add(name!, typeOnly);
  }
  for (const [, name] of code.matchAll(/^\s*import\s+["']([^"']+)["']/gm)) add(name!, false);
  for (const [, type, name] of code.matchAll(/(typeof\s+)?\bimport\(\s*["'`]([^"'`$]+)/g)) {
    add(name!, type !== undefined);
  }
  return found;
}

/** Files that are the whole of a process, and what servers do that misbehave: only these end it. */
const MAY_EXIT = [
  "bench/main.ts",
  ...["bench/generators/connect-main.ts", "bench/generators/in-process-main.ts"],
  "servers/main.ts",
  "servers/end-on-sigterm.ts",
  "servers/workers/main.ts",
  "servers/services/service.ts",
  "stores/user/main.ts",
  "stores/prepared/main.ts",
  "suites/calls/main.ts",
  "suites/run-builder.ts",
  "lab/self.ts",
  "lab/faults/behaviours.ts",
  "lab/faults/faulty-command.ts",
];

/** Rooms of bench that do no input or output, the lowest floor first. */
const PURE = ["basics", "record", "statistics", "judge", "plan", "result", "why"];

/** All rooms of bench, the lowest floor first: each may import those before it. */
const FLOORS = [
  ...PURE,
  ...["machine", "files", "runtimes", "process", "sources", "doctor", "runs", "pipe"],
  ...["generators", "observe", "apps", "options", "report", "page", "exports", "engine", "commands", "main"],
];

/** Folders beside bench that have a budget of lines, too. */
const BESIDE = ["lab", "suites", "servers", "stores", "site", "tests"];

/** Rooms that stand high, yet know the rooms without input and output alone, and these of their own kind. */
const ABOVE_PURE: Readonly<Record<string, readonly string[]>> = {
  generators: [],
  report: [],
  page: ["report"],
  exports: ["report", "page"],
};

const mayImport = (room: string, other: string) =>
  (room in ABOVE_PURE ? [...PURE, ...ABOVE_PURE[room]!] : FLOORS.slice(0, FLOORS.indexOf(room))).includes(other);

/** What a room may hold: a stranger has to find a file in it by its name. */
const ROOM_FILES = 60;

/** What the driver may know of suites and servers: registry and contracts, never a suite, a server or a store itself. */
const CONTRACTS =
  /^(suites\/(suite|axes|registry)\.ts|servers\/(address|protocol|runtime|workers\/ways|(?:ready|service)-line)\.ts)$/;

/** The contract of suites: its events are what a builder of files prints. */
const SUITE = /^suites\/suite\.ts$/;

const folderOf = (path: string) => /^bench\/([^/]+)\//.exec(path)?.[1] ?? "main";

function importFaults(source: Source): string[] {
  const { path } = source;
  if (isTest(path)) return [];
  const faults: string[] = [];
  // Packages carry neither the lab nor the site.
  if (!/^(lab|site)\//.test(path) && /["'`/]lab\//.test(withoutComments(source.text))) {
    faults.push(`${path} names a file of lab/`);
  }
  for (const { target, typeOnly } of importsOf(source)) {
    const says = (why: string) => faults.push(`${path} imports ${target}: ${why}`);
    if (
      path.startsWith("stores/") && /^(suites|servers|bench|tests)\//.test(target) && !(typeOnly && SUITE.test(target))
    ) {
      says("stores know nobody above them");
    }
    if (path.startsWith("servers/") && /^(suites|stores|bench|tests)\//.test(target)) says("servers know no suite");
    if (path.startsWith("suites/") && /^(bench|tests)\//.test(target)) says("suites know servers and stores only");
    if (path.startsWith("lab/") && /^(suites|stores|servers)\//.test(target) && !CONTRACTS.test(target)) {
      says("it is no contract or registry");
    }
    if (path.startsWith("lab/") && target.startsWith("tests/")) says("tests know the lab, not the lab them");
    if (!/^(site|tests)\//.test(path) && target.startsWith("site/")) says("nobody but its tests knows the site");
    if (!path.startsWith("bench/")) continue;
    const own = folderOf(path);
    if (target.startsWith("bench/")) {
      const other = folderOf(target);
      if (other !== own && !mayImport(own, other)) says(`${own} may not import ${other}`);
    } else if (/^(suites|stores|servers)\//.test(target)) {
      if (!CONTRACTS.test(target)) says("it is no contract or registry");
      else if (PURE.includes(own) && !typeOnly) says(`${own} takes types only`);
    } else if (PURE.includes(own) && target.startsWith("node:") && target !== "node:module") {
      // node:module loads a package of old form, no more.
      says(`${own} does no input or output`);
    }
  }
  return faults;
}

/** Words of what single suites measure: the driver knows suites by their contract alone. */
const SUITE_WORDS = /\b(users|stores?|sqlite|SQLite|drizzle|linear|tutorial)\b/;
/** What is no suite: a header of HTTP, and the project's own folders. */
const NO_SUITE = [/"cache-control": "no-store"/, /\["bench", "suites", "servers", "stores"\]/];

function suiteFaults({ path, text }: Source): string[] {
  if (isTest(path) || !path.startsWith("bench/")) return [];
  return text.split("\n").flatMap((line, index) => {
    const word = NO_SUITE.some((known) => known.test(line)) ? undefined : SUITE_WORDS.exec(line)?.[0];
    return word === undefined ? [] : [`${path}:${index + 1} says "${word}"`];
  });
}

function globalFaults({ path, text }: Source): string[] {
  if (isTest(path)) return [];
  return ["Bun", "Deno"].flatMap((name) => {
    const named = new RegExp(`(^|[-/])${name.toLowerCase()}[-.]`).test(path);
    const used = new RegExp(`\\b${name}\\.`).test(withoutComments(text));
    return used && !named ? [`${path} uses the global ${name}, but is not named for it`] : [];
  });
}

/** What one runtime publishes, another one must find again to the last digit. */
function engineFaults({ path, text }: Source): string[] {
  if (isTest(path) || !PURE.includes(folderOf(path))) return [];
  return [...withoutComments(text).matchAll(/\bMath\.(log|log1p|log10|exp|expm1|pow|cbrt|hypot|sin|cos|tan\w*)\b/g)]
    .map(([name]) => `${path} uses ${name}, whose last digits are the engine's: take bench/statistics/logarithms.ts`);
}

function exitFaults({ path, text }: Source): string[] {
  if (isTest(path) || MAY_EXIT.includes(path)) return [];
  return /\b(process|Deno)\.exit\(/.test(withoutComments(text)) ? [`${path} ends the process`] : [];
}

function lengthFaults({ path, text }: Source): string[] {
  const lines = text.split("\n").length - 1;
  const excused = /longer than/i.test(text.split("\n").slice(0, 12).join("\n"));
  return path.endsWith(".ts") && lines > 300 && !excused
    ? [`${path} has ${lines} lines and does not say at its top why it is longer`]
    : [];
}

/** Names of what is counted in messages. */
const COUNTED = "rounds cells runs requests servers lines steps windows observations comparisons sockets timeouts " +
  "threads connections users rows values parameters places replies points checks faults trials pairs CPUs cores " +
  "machines verdicts ensembles";

/** Messages in which one thing would be several: a number that `counted` does not tell. Constants are known not to be 1. */
function countFaults({ path, text }: Source): string[] {
  if (isTest(path)) return [];
  const told = new RegExp(`\\$\\{([^{}\`]*)\\} (?:${COUNTED.replaceAll(" ", "|")})\\b`, "g");
  return [...withoutComments(text).matchAll(told)].map(([, value]) => value!.trim())
    .filter((value) => !/^[A-Z_\d]+$/.test(value) && value !== "who")
    .map((value) => `${path} counts "${value}" without \`counted\``);
}

/** Files that read messages of other programs, which give no codes. */
const READS_OTHERS: Readonly<Record<string, string>> = {
  "bench/basics/error-line.ts": "what servers and their runtimes wrote on stderr",
  "bench/command-line.ts": "Deno's numbers of system errors",
  "bench/options/read-request.ts": "zod's issues",
  "bench/runtimes/fetch-runtime.ts": "npm's errors of the network",
  "bench/sources/load-suite.ts": "zod's issues",
};

/** Rooms that hold marks, claims and what is printed of them: there a text is words for people. */
const OF_WORDS = ["statistics", "judge", "result", "why", "report", "page", "exports", "engine"];

/** Files that lay out any text, whatever it says: they measure, break, escape, colour or look it up by place. */
const LAYS_OUT = ["align", "markdown", "palette", "wrap"].map((name) => `bench/report/${name}.ts`).concat(
  ["html", "rate-charts"].map((name) => `bench/page/${name}.ts`),
);

/** Files of bench that print for the bench itself: what they say is read by a program. */
const SPEAK_TO_THE_BENCH = [
  "bench/doctor/canary-main.ts",
  "bench/generators/connect-main.ts",
  "bench/generators/in-process-main.ts",
];

/** What writes for people: there no text of a run moves a cursor. */
const WRITERS = ["bench/report/writer.ts", "bench/report/drawn-over.ts"];

function writingFaults({ path, text }: Source): string[] {
  if (isTest(path) || !path.startsWith("bench/")) return [];
  if ([...WRITERS, ...SPEAK_TO_THE_BENCH].includes(path)) return [];
  const writes =
    /\b(?:std(?:out|err)|stream|terminal)\w*\??\.write\(|\bconsole\.\w+\(|\bcreateLogUpdate\(|\bwriteSync\([12],/g;
  return [...withoutComments(text).matchAll(writes)].map(([write]) => `${path} writes by itself: ${write}`);
}

/** The words of a failure or a doubt are made for people: code decides by its code and facts. */
function messageFaults({ path, text }: Source): string[] {
  if (isTest(path) || !/^(bench|lab)\//.test(path) || path in READS_OTHERS) return [];
  const made = OF_WORDS.includes(folderOf(path)) && !LAYS_OUT.includes(path)
    ? "|texts?|sentences?|notes?|warnings?|faults?"
    : "";
  const words = `(?:message|reason|why|hint${made})`;
  const reads = [
    `\\b${words}\\b[^;,{}\\n]{0,30}\\.(?:match|matchAll|includes|startsWith|endsWith|search|indexOf|replace)\\(`,
    `\\.(?:test|exec)\\((?:[^()]|\\([^()]*\\))*\\b${words}\\b`,
    `\\b${words}\\b[^;,{}\\n]{0,30}\\.split\\((?!"\\\\n"\\))`,
    `(?<!typeof )\\b${words}\\b[?!)]* [!=]== (?:["'][^"']|[A-Z])`,
  ];
  return [...withoutComments(text).matchAll(new RegExp(reads.join("|"), "g"))]
    .map(([read]) => `${path} decides by a message: ${read}`);
}

/** The most fields of a type: more are groups with a name each, which count as one where they are composed. */
const FIELDS = 20;
/** The beginnings of types: an interface, a schema, and where a type literal can stand. */
const INTERFACE = /\binterface\s+\w+[^{};]*$/, SCHEMA = /\b(?:strictObject|object|looseObject|extend)\($/;
const LITERAL = /(?:[:=|&<,]|\bas)\s*$/, FIELD = /^(?:readonly\s+)?(?:\w+|_"|\[[^\]]*\])\??\s*[:(<]/;

/** Comments, strings and regular expressions: signs in them are no signs of the code around them. */
const OPAQUE = new RegExp(
  [
    /\/\*[\s\S]*?\*\/|\/\/.*/,
    /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/,
    /`(?:\\[\s\S]|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}|[^`\\])*`/,
    /(?<=[(,=:?&|!>[]\s*|return )\/(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n[])+\//,
  ].map(({ source }) => source).join("|"),
  "g",
);

/** Types with more fields than people keep in mind, by their place. */
function fieldFaults({ path, text }: Source): string[] {
  if (isTest(path) || !/^bench\/.*\.ts$/.test(path)) return [];
  const code = text.replace(OPAQUE, (token) => /^\/[/*]/.test(token) ? "" : '_"');
  const open: { from: number; next: number; fields: string[]; inside: number }[] = [];
  const faults: string[] = [];
  for (const { 0: sign, index } of code.matchAll(/[({[\]}),;]/g)) {
    const last = open.at(-1);
    if ("({[".includes(sign)) open.push({ from: index, next: index + 1, fields: [], inside: 0 });
    else if (last !== undefined) {
      last.fields.push(code.slice(last.next, index).trim());
      last.next = index + 1;
      if (",;".includes(sign)) continue;
      open.pop();
      const fields = last.fields.filter(Boolean), head = code.slice(0, last.from).slice(-300);
      // What is spread where it stands hides no field.
      if (head.endsWith("...") && sign === "}" && open.length > 0) open.at(-1)!.inside += fields.length - 1;
      const bases = /\bextends\b([^{]*)$/.exec(head)?.[1]?.replace(/<[^>]*>/g, "").split(",").length ?? 0;
      const count = fields.length + last.inside + (INTERFACE.test(head) ? bases : 0);
      const isType = sign === "}" && (INTERFACE.test(head) || SCHEMA.test(head) ||
        LITERAL.test(head) && code.slice(last.from, index).includes(";") && fields.every((field) => FIELD.test(field)));
      if (isType && count > FIELDS) faults.push(`${path} has a type of ${count} fields: ${head.split("\n").at(-1)}`);
    }
  }
  return faults;
}

/** What starts processes or talks to them. */
const OUTSIDE = ["node:child_process", "node:cluster", "node:http", "node:https", "node:net", "node:worker_threads"];

/** A test beside code that touches no runtime is run on Node alone. */
function pureTestFaults(source: Source): string[] {
  const { path } = source;
  if (!path.startsWith("bench/") || !path.endsWith(".test.ts")) return [];
  if ([...ON_THREE, ...DRIVER].some((folder) => path.startsWith(`${folder}/`))) return [];
  return importsOf(source).filter(({ target }) => OUTSIDE.includes(target))
    .map(({ target }) => `${path} imports ${target}, and its folder is none of those tested on several runtimes`);
}

function testingFaults({ path, text }: Source): string[] {
  if (!path.endsWith(".test.ts")) return [];
  const imported = /import\s+(.+?)\s+from\s+["']node:test["']/.exec(text)?.[1];
  if (imported !== undefined && imported !== "{ test }") return [`${path} takes more than { test } from "node:test"`];
  const uses = withoutComments(text).match(/\btest\.\w+\(/g) ?? [];
  return uses.some((use) => use !== "test.skip(") ? [`${path} uses more than test and test.skip`] : [];
}

const RULES: Readonly<Record<string, { find: (source: Source) => string[]; offenders: Source[] }>> = {
  "imports go from main down to basics, and from the driver to contracts only": {
    find: importFaults,
    offenders: [
      { path: "stores/a.ts", text: 'import { x } from "../servers/main.ts";' },
      { path: "stores/a.ts", text: 'import { x } from "../suites/suite.ts";' },
      { path: "servers/a.ts", text: 'import type { X } from "../bench/main.ts";' },
      { path: "servers/a.ts", text: 'import { x } from "../suites/users/suite.ts";' },
      { path: "suites/a/suite.ts", text: 'import { x } from "../../bench/record/cell.ts";' },
      { path: "bench/plan/a.ts", text: 'import { x } from "../machine/child.ts";' },
      { path: "bench/plan/a.ts", text: 'import { readFileSync } from "node:fs";' },
      { path: "bench/plan/a.ts", text: 'import {\n  type A,\n  b,\n} from "../../suites/registry.ts";' },
      { path: "bench/record/a.ts", text: 'import type { X } from "../judge/x.ts";' },
      { path: "bench/judge/a.ts", text: 'import type { X } from "../result/x.ts";' },
      { path: "bench/machine/a.ts", text: 'import type { X } from "../generators/wrk.ts";' },
      { path: "bench/report/a.ts", text: 'export { x } from "../observe/conduct-run.ts";' },
      { path: "bench/observe/a.ts", text: 'const x = await import("../commands/run.ts");' },
      { path: "bench/observe/a.ts", text: 'import { open } from "../../stores/sqlite.ts";' },
      { path: "bench/observe/a.ts", text: 'import "../../stores/prepared/main.ts";' },
      { path: "bench/observe/a.ts", text: 'import type { Store } from "../../stores/store.ts";' },
      { path: "bench/commands/a.ts", text: 'import { users } from "../../suites/users/suite.ts";' },
      { path: "bench/options/a.ts", text: 'import { x } from "../commands/run.ts";' },
      { path: "bench/engine/a.ts", text: 'import { x } from "../commands/run.ts";' },
      { path: "bench/commands/a.ts", text: 'import type { X } from "../../lab/parts.ts";' },
      { path: "suites/a/suite.ts", text: 'const x = await import("../../lab/parts.ts");' },
      { path: "bench/commands/b.ts", text: 'const lab = new URL("../../lab/parts.ts", import.meta.url);' },
      { path: "lab/a.ts", text: 'import { x } from "../tests/testing.ts";' },
      { path: "lab/a.ts", text: 'import { users } from "../suites/users/suite.ts";' },
    ],
  },
  "nothing of what single suites measure stands in the driver": {
    find: suiteFaults,
    offenders: [
      { path: "bench/plan/a.ts", text: "const stores = 1;" },
      { path: "bench/report/style.css", text: ".store { color: red }" },
      { path: "bench/generators/a.lua", text: '"GET /users/"' },
    ],
  },
  "a runtime's global is used only in files named for it": {
    find: globalFaults,
    offenders: [
      { path: "servers/a.ts", text: "Bun.serve({});" },
      { path: "servers/adapters/bun.ts", text: "Deno.serve({});" },
    ],
  },
  "figures are the same on each engine": {
    find: engineFaults,
    offenders: [{ path: "bench/plan/a.ts", text: "const ratio = Math.exp(mean);" }],
  },
  "only files that are a process of their own end it": {
    find: exitFaults,
    offenders: [{ path: "bench/commands/a.ts", text: "process.exit(1);" }],
  },
  "a file of more than 300 lines says why at its top": {
    find: lengthFaults,
    offenders: [{ path: "bench/plan/a.ts", text: "\n".repeat(301) }],
  },
  "a message is right where what it counts is one": {
    find: countFaults,
    offenders: [
      { path: "bench/plan/a.ts", text: "const a = `${n} rounds`;" },
      { path: "stores/a.ts", text: "const a = `with ${\n  all.length\n} rows`;" },
    ],
  },
  "no code reads a message": {
    find: messageFaults,
    offenders: [
      { path: "bench/plan/a.ts", text: "const late = error.message.startsWith(`no reply within`);" },
      { path: "bench/plan/a.ts", text: "const late = (error as Error).message.includes('late');" },
      { path: "bench/plan/a.ts", text: "const port = /on port (\\d+)/.exec(told.why ?? '')?.[1];" },
      { path: "bench/plan/a.ts", text: "if (/no reply within/.test(reason)) return 1;" },
      { path: "bench/plan/a.ts", text: "const [what, next] = String(line?.message ?? '').split('; try: ');" },
      { path: "bench/plan/a.ts", text: 'const short = message.replace(/^no verdict: /, "");' },
      { path: "bench/plan/a.ts", text: "const single = reason === SINGLE_RUNS;" },
      { path: "bench/result/a.ts", text: "const passing = changes.filter((text) => !/^grade: reasons/.test(text));" },
      { path: "bench/report/a.ts", text: "const doubted = said.some((text) => text.includes('reliable'));" },
      { path: "bench/report/a.ts", text: "const marks = summary.marks.filter(({ text }) => !text.startsWith(first));" },
      { path: "bench/result/a.ts", text: 'const rest = answer.sentence.replace(/^No answer: /, "");' },
      { path: "bench/judge/a.ts", text: 'const late = note === "late";' },
      { path: "lab/a.ts", text: "const late = error.message.startsWith(`no reply within`);" },
    ],
  },
  "one file writes what people see": {
    find: writingFaults,
    offenders: [
      { path: "bench/commands/a.ts", text: "stdout.write(`${name}\\n`);" },
      { path: "bench/commands/a.ts", text: "context.stderr.write(name);" },
      { path: "bench/report/a.ts", text: "stream.write(line);" },
      { path: "bench/engine/a.ts", text: "console.error(message);" },
      { path: "bench/report/a.ts", text: "const draw = createLogUpdate(to);" },
    ],
  },
  "no type of bench has more than twenty fields": {
    find: fieldFaults,
    offenders: [
      { path: "bench/plan/a.ts", text: `interface A extends B {${" readonly a: string;".repeat(20)}}` },
      { path: "bench/plan/a.ts", text: `type A = B & {${" a?: { b: 1; c: 2 };".repeat(21)}};` },
      { path: "bench/plan/a.ts", text: `const a = z.strictObject({${" a: z.enum([1, 2]),".repeat(21)}});` },
      { path: "bench/plan/a.ts", text: `const a = z.strictObject({ ...{${" a: share,".repeat(21)} }, b });` },
      { path: "bench/plan/a.ts", text: `const a = b.extend({${" /** One, two. */\n a: share,".repeat(21)}});` },
    ],
  },
  "tests beside code that touches no runtime touch none": {
    find: pureTestFaults,
    offenders: [{ path: "bench/plan/a.test.ts", text: 'import { spawn } from "node:child_process";' }],
  },
  "tests use only what the three runners share": {
    find: testingFaults,
    offenders: [
      { path: "bench/plan/a.test.ts", text: 'import { describe, test } from "node:test";' },
      { path: "bench/plan/a.test.ts", text: 'import { test } from "node:test";\ntest.only("x", () => {});' },
    ],
  },
};

for (const [name, { find, offenders }] of Object.entries(RULES)) {
  test(name, () => {
    for (const offender of offenders) {
      assert.notDeepEqual(find(offender), [], `the rule does not see: ${offender.path}: ${offender.text.slice(0, 80)}`);
    }
    const sources = ["bench", "lab", "suites", "servers", "stores", "site", "tests"].flatMap(sourcesIn);
    assert.ok(sources.length > 60, `only ${sources.length} files were read`);
    assert.deepEqual(sources.flatMap(find), []);
  });
}

test("no room of bench has more files than a stranger overlooks", () => {
  const files = sourcesIn("bench").map(({ path }) => path).filter((path) => !isTest(path));
  const rooms = Object.groupBy(files, folderOf);
  assert.deepEqual(Object.keys(rooms).filter((room) => !FLOORS.includes(room)), [], "a room stands on no floor");
  const crowded = FLOORS.map((room) => `${room} has ${rooms[room]?.length ?? 0} files`)
    .filter((said) => Number(/\d+/.exec(said)) > ROOM_FILES || / 0 /.test(said));
  assert.deepEqual(crowded, []);
});

/** Most lines of each room and of its tests, as CONTRIBUTING.md has them: `| \`plan\` | 3400 | 2600 |`. */
function budgetsIn(text: string): Map<string, { readonly code: number; readonly tests: number }> {
  const rows = text.matchAll(/^\| `(\w+)` +\| +(\d+) \| +(\d+) \|/gm);
  return new Map([...rows].map(([, room, code, tests]) => [room!, { code: Number(code), tests: Number(tests) }]));
}

/** What sources have above the budgets of their rooms, and rooms without one. */
function aboveBudget(budgets: ReturnType<typeof budgetsIn>, sources: readonly Source[]): string[] {
  const roomOf = (path: string) => /^bench\/(\w+)\//.exec(path)?.[1] ?? path.split("/")[0]!;
  const inRooms = sources.filter(({ path }) => /^bench\/\w+\/|^(?!bench\/)/.test(path));
  return [...Map.groupBy(inRooms, ({ path }) => `${roomOf(path)} ${isTest(path) ? "tests" : "code"}`)].flatMap(
    ([key, some]) => {
      const [room, kind] = key.split(" ") as [string, "code" | "tests"];
      const most = budgets.get(room)?.[kind];
      const lines = some.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0);
      return most === undefined || lines > most ? [`${room}: ${lines} lines of ${kind}, at most ${most}`] : [];
    },
  );
}

test("no room has more lines than its budget", () => {
  const budgets = budgetsIn(readFileSync(new URL("../CONTRIBUTING.md", import.meta.url), "utf8"));
  assert.deepEqual([...budgets.keys()], [...FLOORS.filter((room) => room !== "main"), ...BESIDE]);
  const long = { path: "bench/plan/a.ts", text: "\n".repeat(budgets.get("plan")!.code + 1) };
  assert.equal(aboveBudget(budgets, [long]).length, 1);
  assert.deepEqual(aboveBudget(budgets, ["bench", ...BESIDE].flatMap(sourcesIn)), []);
});

/** Groups of files that import each other, directly or through others, by Tarjan's strongly connected components. */
function circlesIn(sources: readonly Source[]): string[] {
  const targets = new Map(sources.map((source) => [source.path, importsOf(source).map(({ target }) => target)]));
  const numbers = new Map<string, number>(), lowest = new Map<string, number>();
  const open: string[] = [], circles: string[] = [];
  const visit = (path: string) => {
    numbers.set(path, numbers.size);
    lowest.set(path, numbers.get(path)!);
    open.push(path);
    for (const next of targets.get(path)!.filter((target) => targets.has(target))) {
      if (!numbers.has(next)) visit(next);
      if (open.includes(next)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(next)!));
    }
    if (lowest.get(path) !== numbers.get(path)) return;
    const circle = open.splice(open.indexOf(path));
    if (circle.length > 1) circles.push(circle.sort().join(" "));
  };
  for (const path of targets.keys()) if (!numbers.has(path)) visit(path);
  return circles;
}

test("no file of bench imports itself through others", () => {
  const made = [
    { path: "bench/plan/a.ts", text: 'import { b } from "./b.ts";' },
    { path: "bench/plan/b.ts", text: 'import type { C } from "./c.ts";' },
    { path: "bench/plan/c.ts", text: 'import { a } from "./a.ts";' },
    { path: "bench/plan/d.ts", text: 'import { a } from "./a.ts";' },
  ];
  assert.deepEqual(circlesIn(made), ["bench/plan/a.ts bench/plan/b.ts bench/plan/c.ts"]);
  assert.deepEqual(circlesIn(made.slice(0, 2)), []);
  assert.deepEqual(circlesIn(sourcesIn("bench").filter(({ path }) => path.endsWith(".ts"))), []);
});
