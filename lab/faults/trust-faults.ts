/** Plans of somebody else's, and folders with a config nobody asked for. */
import { ASKS_ONCE } from "../asks-once.ts";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { UserSpec } from "../../bench/record/user-spec.ts";
import { type BenchFault, type FaultRow, Missed, ofGroup, saying } from "./fault.ts";
import { FAULTY_SUITE, finishedRun, planOf, SOUND } from "./small-runs.ts";
import type { Stage } from "./stage.ts";

/** The file that any executed code leaves in the folder of its fault. */
const MARKER = "executed";

/** A plan as somebody sends it, and what is said of it. */
interface Sent {
  readonly user?: Partial<UserSpec>;
  readonly module?: string;
  readonly wanted?: string;
}

const target = (url: string): Partial<UserSpec> => ({ servers: [{ kind: "target", name: "t", url, pid: null }] });
const rows = (file: string): Partial<UserSpec> => ({ draws: { row: { kind: "rows", file } } });

const SENT: readonly (readonly [name: string, injected: string, says: RegExp, sent: Sent])[] = [
  ["plan-command", "a command", /run the command "sh" "-c" "touch executed"/, { user: {} }],
  ["plan-env", "a variable of whoever runs it", /hand your variable "HOME" to them/, { user: { env: ["HOME"] } }],
  ["plan-rows", "a file of rows", /send lines of the file "plan\.json"/, { user: rows("plan.json") }],
  ["plan-rows-outside", "a file of rows by its absolute path", /is outside its folder/, { user: rows("/etc/passwd") }],
  ["plan-target", "a server of this machine", /load the server at/, { user: target("http://127.0.0.1:9") }],
  ["plan-target-outside", "a server by a host's name", /no address of a server on/, {
    user: target("http://levelfield.invalid:80"),
  }],
  ["plan-module", "a suite's module", /import the suite "evil\.mjs"/, { module: "evil.mjs" }],
  ["plan-module-outside", "a suite's module elsewhere", /is outside its folder/, { module: FAULTY_SUITE }],
  ["plan-runtime", "a runtime by its path", /run the runtime "bun=\.\/evil"/, { wanted: "bun=./evil" }],
];

const plans = SENT.map(([name, injected, says, sent]): FaultRow => ({
  name,
  injected: `a plan from elsewhere that names ${injected}`,
  expected: saying(says),
  quick: name === "plan-command",
  async inject(stage) {
    layTraps(stage);
    const file = join(stage.folder, "plan.json");
    writeFileSync(file, JSON.stringify(await planSent(sent)));
    await stage.expect(["run", "--plan", file, "--dry-run"], 2, says);
    untouched(stage);
  },
}));

const configs = ["verify", "show", "runs", "doctor"].map((command): FaultRow => ({
  name: `config-${command}`,
  injected: `bench ${command} in a folder with a config`,
  expected: "the config is not run",
  async inject(stage) {
    finishedRun(stage);
    layTraps(stage);
    await stage.expect([command], [0, 3], /./);
    untouched(stage);
  },
}));

function layTraps({ folder }: Stage): void {
  const leave = `import { writeFileSync } from "node:fs"; writeFileSync("${MARKER}", "");`;
  for (const name of ["evil.mjs", "levelfield.config.mjs"]) writeFileSync(join(folder, name), leave);
  writeFileSync(join(folder, "evil"), `#!/bin/sh\ntouch ${MARKER}\n`, { mode: 0o755 });
}

function untouched({ folder }: Stage): void {
  if (existsSync(join(folder, MARKER))) throw new Missed("it was executed");
}

async function planSent({ user, module, wanted }: Sent) {
  const plan = await planOf([SOUND]);
  const spec: UserSpec = {
    ...ASKS_ONCE,
    servers: [{
      kind: "command",
      name: "c",
      command: ["sh", "-c", `touch ${MARKER}`],
      port: null,
      ready: "/",
      files: [],
    }],
    env: [],
    asked_first: { app: "c", runtime: null },
    words: [],
    ...user,
  };
  const suite = { ...plan.suite, module: module ?? null, ...(user === undefined ? {} : { own: spec }) };
  return { plan: { ...plan, suite }, ...(wanted === undefined ? {} : { runtimes: [{ wanted }] }) };
}

/** See the top. */
export const TRUST_FAULTS: readonly BenchFault[] = ofGroup("input", [...plans, ...configs]);
