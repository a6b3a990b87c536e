import { join } from "node:path";
import { ASKS_ONCE } from "../asks-once.ts";
import type { Baits } from "./baits.ts";

/** A record as JSON, in which anything may be changed. */
// deno-lint-ignore no-explicit-any
type Loose = any;

/** All that a run may hold that others would run, load, ask or read, by what it is called. */
export function namedByRuns({ module, program, secret, url }: Baits): Readonly<Record<string, (run: Loose) => void>> {
  const hash = "0".repeat(64);
  const userSuite = (servers: readonly object[], more: object = {}) => ({ plan }: Loose) => {
    plan.suite.own = {
      ...ASKS_ONCE,
      servers,
      env: ["PATH", "HOME", "NODE_OPTIONS"],
      asked_first: { app: "a", runtime: null },
      words: [program],
      ...more,
    };
  };
  const app = { kind: "app", name: "a", sha256: hash, source: { of: "home", files: 1 }, needs: {} };
  const command = { kind: "command", name: "a", port: null, ready: "x", files: [{ path: secret, sha256: hash }] };
  const target = { kind: "target", name: "a", pid: 1 };
  const fact = (file: string) => ({ plan }: Loose) => {
    for (const axis of plan.axes) for (const value of axis.values) value.facts = { file, sha256: hash };
  };
  const named = Object.fromEntries(
    [module, `file://${module}`, "./levelfield.config.ts", "data:text/javascript,throw 7", url, program, secret]
      .flatMap((word, n): [string, (run: Loose) => void][] => [
        [`suite from ${n}`, ({ plan }) => plan.suite.module = word],
        [`facts of ${n}`, fact(word)],
        [`generator asked for by ${n}`, ({ plan }) => plan.generator = word],
        [
          `runtime of ${n}`,
          (run) => run.runtimes.forEach((each: Loose) => Object.assign(each, { wanted: word, origin: "file" })),
        ],
        [`generator of ${n}`, (run) => run.generator.name = word],
        [
          `file built by ${n}`,
          (run) => run.files.push({ title: word, request: { module: word }, sha256: hash, disk_bytes: 1 }),
        ],
        [
          `hosts by ${n}`,
          (run) =>
            run.hosts = { server: word, load: word, address: "127.0.0.1", link: { name: word, bits_per_second: null } },
        ],
      ]),
  );
  return {
    ...named,
    "an app": userSuite([{ ...app, module, home: "." }]),
    "an app elsewhere": userSuite([{ ...app, module: "module.ts", home: join(module, "..") }]),
    "a command": userSuite([{ ...command, command: [program] }]),
    "a command of a shell": userSuite([{ ...command, command: ["sh", "-c", program], home: join(program, "..") }]),
    "a target": userSuite([{ ...target, url }]),
    "rows of a file": userSuite([{ ...target, url }], { draws: { x: { kind: "rows", file: secret } } }),
    "another revision": (run) => run.against = { ref: `--upload-pack=${program}`, commit: "HEAD", label: "x" },
    "a runtime's name": (run) => run.runtimes.forEach((each: Loose) => each.name = program),
    "a driver": (run) => run.driver = { runtime: program, version: "1" },
    "an environment": (run) => run.machine.environment = { NODE_OPTIONS: `--import=${module}`, PATH: program },
  };
}
