import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import { inTemporaryFolder, runtime, sha256 } from "../../tests/testing.ts";
import type { BenchError } from "../basics/errors.ts";
import type { UserSpec } from "../record/user-spec.ts";
import { localHost } from "../pipe/local-host.ts";
import { ourHello } from "../pipe/greet-agent.ts";
import { remoteHost } from "../pipe/remote-host.ts";
import { SCRIPT_ARGS } from "../runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { requireSameModules } from "./same-modules.ts";

/** The same path on each host, and a separate folder behind it: that in which a process was started. */
const HERE = "/proc/self/cwd";
const linuxTest = existsSync(HERE) ? test : test.skip;

const AGENT = [
  process.execPath,
  ...SCRIPT_ARGS[runtime.name],
  join(PROJECT_ROOT, "bench", "main.ts"),
  "agent",
  "--no-config",
];

type OwnPlan = Parameters<typeof requireSameModules>[1];

const FILES = { "package.json": "{}", "app.ts": "export default 1;", "part.ts": "1", "mine.ts": "2", "run.sh": "exit" };

function write(folder: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** A plan of an app, a program and a store that are all of one's own. */
function ownPlan(): OwnPlan {
  const file = `${HERE}/mine.ts`;
  const app = { kind: "app", name: "shop", module: `${HERE}/app.ts`, home: HERE };
  const program = { kind: "command", name: "tool", files: [{ path: `${HERE}/run.sh`, sha256: "" }] };
  const spec = { servers: [app, program, { kind: "target", name: "running" }] } as unknown as UserSpec;
  const axis = planAxis("engine", ["mine"]);
  return {
    suite: { name: "own", title: "", module: null, own: spec },
    axes: [{ ...axis, values: [{ value: "mine", text: "mine", facts: { file, sha256: "" } }] }],
  };
}

/** Runs something with a folder as the current one. */
async function within(folder: string, work: () => Promise<void>): Promise<void> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    await work();
  } finally {
    process.chdir(before);
  }
}

/** The outcome for modules if the servers' host has these files in place of ours. */
async function saidOf(folder: string, there: string, plan = ownPlan()): Promise<BenchError | null> {
  const command = ["env", "SIDE=server", "sh", "-c", 'cd "$0" && exec "$@"', there, ...AGENT];
  const server = await remoteHost(command, "ssh box1", ourHello());
  let said: BenchError | null = null;
  try {
    await within(
      folder,
      () =>
        requireSameModules({ server, service: server }, plan, folder).catch((error: BenchError) => {
          said = error;
        }),
    );
  } finally {
    await server.close();
  }
  return said;
}

linuxTest(
  "custom modules must be the same on the servers' host: what is another or missing is told",
  () =>
    inTemporaryFolder(async (folder) => {
      const here = write(join(folder, "own"), FILES);
      const in_ = (name: string, files: Readonly<Record<string, string>>) => write(join(folder, name), files);
      assert.equal(await saidOf(here, in_("same", { ...FILES, "data.txt": "of no program" })), null);
      const { "mine.ts": _, ...without } = FILES;
      for (
        const [there, says, hint] of [
          [
            in_("part", { ...FILES, "part.ts": "another" }),
            /^"shop" on host "ssh box1" is source [0-9a-f]{12}, and [0-9a-f]{12} here$/,
            /copy it to .*app\.ts there/,
          ],
          [
            in_("program", { ...FILES, "run.sh": "another" }),
            new RegExp(
              `^"${HERE}/run.sh of tool" on host "ssh box1" is source ${sha256("another").slice(0, 12)}, and ${
                sha256("exit").slice(0, 12)
              } here$`,
            ),
            /run\.sh there/,
          ],
          [in_("without", without), /^"shop" on host/, /app\.ts/],
        ] as const
      ) {
        const said = await saidOf(here, there);
        assert.match(said?.message ?? "nothing is said", says);
        assert.match(said!.hint!, hint);
      }
      const { suite, axes } = ownPlan();
      const { own: __, ...plain } = suite;
      const missing = await saidOf(here, join(folder, "without"), { suite: plain, axes });
      assert.equal(missing?.message, `"mine" is not on host "ssh box1", source ${sha256("2").slice(0, 12)} here`);
    }),
);

test("without another host nothing is asked", async () => {
  const asked: unknown[] = [];
  const server = { ...localHost(), sources: (wanted: unknown) => Promise.resolve(asked.push(wanted) ? [] : []) };
  await requireSameModules({ server, service: server }, ownPlan(), process.cwd());
  assert.deepEqual(asked, []);
});

test("a module of this checkout is compared alone: the rest of the checkout is when an agent greets", async () => {
  const here = localHost(), compared: Parameters<typeof here.sources>[0][] = [];
  const server: typeof here = {
    ...here,
    command: "ssh box1",
    sources: (wanted) => (compared.push(wanted), here.sources(wanted)),
  };
  const module = join(PROJECT_ROOT, "mod.ts");
  await requireSameModules({ server, service: server }, { suite: { name: "own", title: "", module }, axes: [] }, ".");
  assert.deepEqual(compared, [[{ file: module, home: null }]]);
});
