/** Faults of a PostgreSQL or Redis that a server uses: programs of their names come before them on PATH. */
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { orElse } from "../../bench/basics/errors.ts";
import { judgeCell } from "../../bench/judge/judge-cell.ts";
import { solosOf } from "../../bench/judge/lines.ts";
import type { Observation } from "../../bench/record/observation-record.ts";
import type { Mark } from "../../bench/record/outcome-schema.ts";
import { type BenchFault, type FaultRow, Missed, ofGroup, saysText } from "./fault.ts";
import { PORT_TAKER, realOf, SLOW_RELAY, whyAbsent, withProgram } from "./service-programs.ts";
import { noDisk, onDisk } from "./small-disk.ts";
import { becomesWhole, linesIn, marksOf } from "./small-runs.ts";
import { expectEnd, type Stage } from "./stage.ts";
import { killAgent, runIn, windowIsOpen } from "./steps.ts";

const SETTINGS = ["--runtime", "node", "--rounds", "1", "--duration", "2s", "--warmup", "1s", "--alone", "--yes"];
const POSTGRES = ["run", "drivers", "--service", "real", "--driver", "postgres", "--workload", "updates", ...SETTINGS];
/** Keys of the suite `redis`, and more. */
const KEYS = 20_000;
const REDIS = ["run", "redis", "--service", "real", "--driver", "ioredis", ...SETTINGS];

/** The service's process, once its server is under load. */
const underLoad = (stage: Stage, name: string) =>
  stage.until(`load beside ${name}`, () =>
    windowIsOpen(stage) &&
    stage.processes().find(({ pid }) => isCalled(pid, name))?.pid);

function isCalled(pid: number, name: string): boolean {
  return orElse(() => readFileSync(`/proc/${pid}/comm`, "utf8").trim() === name, false);
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);

interface ServiceRow {
  /** Begins with the service. */
  readonly name: string;
  readonly injected: string;
  readonly shell?: string;
  readonly done?: (pid: number, stage: Stage, disk: string | null) => void;
  /** Bytes of the disk it writes to, where that is a small one. */
  readonly disk?: number;
  /** The mark there has to be, or one of them. */
  readonly mark: Mark["code"] | readonly Mark["code"][];
  readonly says: RegExp;
}

/** Asks that an observation has a mark, and that nothing is left. Throws a {@link Missed}. */
async function assertMarked(stage: Stage, { mark, says }: ServiceRow): Promise<void> {
  const marks = linesIn(runIn(stage) ?? "").map((line) => JSON.parse(line) as Observation).flatMap((line) => [
    ...marksOf(line),
    // Marks of a cell are there whatever other processes did to it.
    ...judgeCell(solosOf(line).filter(({ load }) => load !== null), 0, null),
  ]);
  if (!marks.some(({ code, text }) => [mark].flat().includes(code) && says.test(text))) {
    throw new Missed(
      `no mark "${[mark].flat().join(" or ")}" ${saysText(says)}: ${
        marks.map(({ code, text }) => `${code} ${text}`).join("; ")
      }`,
    );
  }
  await stage.nothingLeft();
}

/** The program of a service. */
const programOf = ({ name }: ServiceRow) => name.startsWith("postgres-") ? "postgres" : "redis-server";

const rowOf = (row: ServiceRow): FaultRow => ({
  name: row.name,
  injected: row.injected,
  expected: `marked ${[row.mark].flat().join(" or ")}, ${saysText(row.says)}`,
  impossible: () =>
    whyAbsent(programOf(row) === "postgres" ? "initdb" : programOf(row))() ??
      (row.disk === undefined ? null : noDisk()),
  async inject(stage) {
    const { shell = 'exec "$real" "$@"', done, disk } = row, of = programOf(row);
    const program = withProgram(stage, of, shell);
    const run = async (on: string | null) => {
      if (on !== null) chmodSync(on, 0o777);
      const env = on === null ? program : { ...program, TMPDIR: on };
      const running = stage.start(of === "postgres" ? POSTGRES : REDIS, { env, limitMs: 240_000 });
      if (done !== undefined) done(await underLoad(stage, of), stage, on);
      expectEnd(await running.ended, 3, /results in/, "a run");
      await assertMarked(stage, row);
    };
    await (disk === undefined ? run(null) : onDisk(stage, disk, run));
  },
});

const kill = (signal: NodeJS.Signals) => (pid: number) => {
  for (const each of [pid, ...childrenOf(pid)]) process.kill(each, signal);
};

const wordsOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");

const portOf = (pid: number) => /(?:-p |:)(\d+)/.exec(wordsOf(pid))![1]!;

/** Has a PostgreSQL do something, as its superuser, who comes by a socket. */
const sql = (statement: string) => (pid: number) => {
  const folder = /unix_socket_directories=(\S+)/.exec(wordsOf(pid))![1]!;
  const login = ["-h", folder, "-p", portOf(pid), "-U", "levelfield", "-d", "postgres", "-c", statement];
  execFileSync(realOf("psql")!, login, { stdio: "pipe" });
};

/** Has a Redis lose all keys of the suite, as the server that asks it may. */
const forget = (pid: number, stage: Stage) => {
  const words = stage.processes().flatMap(({ environment }) => environment.split(" "));
  const password = words.find((word) => word.startsWith("REDIS_PASSWORD="))!.split("=")[1]!;
  const keys = Array.from({ length: KEYS }, (_, n) => `key:${n}`);
  const env = { ...process.env, REDISCLI_AUTH: password };
  execFileSync(realOf("redis-cli")!, ["-p", portOf(pid), "DEL", ...keys], { stdio: "pipe", env });
};

const ROWS: readonly ServiceRow[] = [
  {
    name: "postgres-dies-starting",
    injected: "a PostgreSQL that ends as it starts",
    shell: "echo 'FATAL: no licence' >&2; exit 3",
    mark: "service-failed",
    says: /service "postgres": ended with exit 1: .*no licence/,
  },
  {
    name: "postgres-port-taken",
    injected: "a PostgreSQL whose port is somebody else's by then",
    shell: PORT_TAKER,
    mark: "service-failed",
    says: /service "postgres": ended with exit 1: .*could not create any TCP\/IP sockets/,
  },
  {
    name: "postgres-refuses",
    injected: "a PostgreSQL with fewer connections than the driver's pool",
    shell: 'exec "$real" "$@" -c max_connections=5',
    mark: "wrong-answer",
    says: /too many clients already.*it needs "postgres", which runs with \d+ connections? open/,
  },
  {
    name: "postgres-dies",
    injected: "a PostgreSQL killed under load",
    done: (pid) => process.kill(pid, "SIGKILL"),
    mark: "service-failed",
    says: /service "postgres" ended with/,
  },
  {
    name: "postgres-hangs",
    injected: "a PostgreSQL that stands still under load, and when it is to end",
    done: kill("SIGSTOP"),
    mark: "server-hung",
    says: /no reply within .*it needs "postgres", which runs/,
  },
  {
    name: "postgres-slow",
    injected: "a PostgreSQL that answers each query 20 ms late",
    shell: SLOW_RELAY,
    mark: "service-waited-for",
    says: /it and "postgres" computed in \S+ % of the time: it waited for "postgres"/,
  },
  {
    name: "postgres-connections-left",
    injected: "connections that come to a PostgreSQL under load and stay",
    done: (pid) => {
      const port = Number(portOf(pid));
      for (let n = 0; n < 20; n++) connect(port, "127.0.0.1").on("error", () => {}).unref();
    },
    mark: "connections-left",
    says: /a window left \d+ connections more open at "postgres"/,
  },
  {
    name: "postgres-loses-rows",
    injected: "rows written that are as they were before",
    done: sql("UPDATE world SET writes = 0"),
    mark: "audit-failed",
    says: /rows written: \d+; requests sent: \d+/,
  },
  {
    name: "postgres-drops-writes",
    injected: "a PostgreSQL that takes writes under load and does not keep them",
    done: sql("CREATE RULE dropped AS ON UPDATE TO world DO INSTEAD NOTHING"),
    mark: ["audit-failed", "wrong-answer"],
    says: /rows written: \d+; requests sent: \d+|\/updates\//,
  },
  {
    name: "postgres-disk-too-small",
    injected: "a PostgreSQL for whose files there is no place",
    disk: 20_000_000,
    mark: "service-failed",
    says: /service "postgres": ended with exit 1: .*No space left on device.* \d+ MB free where its files are, in /,
  },
  {
    name: "postgres-disk-full",
    injected: "a disk that is full once PostgreSQL is under load, and as the next one starts",
    disk: 300_000_000,
    done: (_, __, disk) => {
      try {
        writeFileSync(join(disk!, "filler"), Buffer.alloc(300_000_000));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
    },
    mark: ["service-failed", "wrong-answer"],
    says: /"postgres".*No space left on device: \d+ MB free where its files are, in /,
  },
  {
    name: "redis-dies",
    injected: "a Redis killed under load",
    done: (pid) => process.kill(pid, "SIGKILL"),
    mark: "service-failed",
    says: /service "redis" ended with/,
  },
  {
    name: "redis-forgets",
    injected: "a Redis that has lost all its keys",
    done: forget,
    mark: "wrong-answer",
    says: /GET \/get\/\d+/,
  },
];

const killed: FaultRow = {
  name: "sigkill-service",
  injected: "SIGKILL to the bench while a PostgreSQL is under load",
  expected: "nothing left running; its folder goes when the next one starts",
  impossible: whyAbsent("initdb"),
  leavesFiles: true,
  async inject(stage) {
    const env = withProgram(stage, "postgres", 'exec "$real" "$@"');
    const folders = () => readdirSync(stage.tmp).filter((name) => name.startsWith("levelfield-"));
    const running = stage.start(POSTGRES, { env });
    await underLoad(stage, "postgres");
    process.kill(running.pid, "SIGKILL");
    await running.ended;
    await stage.nothingLeft();
    const left = folders();
    await stage.expect(POSTGRES, [0, 3], /results in/, { env, limitMs: 240_000 });
    const still = folders().filter((name) => left.includes(name));
    if (still.length > 0) throw new Missed(`${still[0]} is still there`);
  },
};

const hostLost: FaultRow = {
  name: "service-host-lost",
  injected: "SIGKILL to the agent of the services' host, under load",
  expected: "a line that names the host, nothing left running; the run goes on and becomes whole",
  impossible: whyAbsent("wrk"),
  leavesFiles: true,
  async inject(stage) {
    const command = ["run", "drivers", "--driver", "postgres", ...SETTINGS, "--service-host", "env SIDE=service"];
    const running = stage.start(command, { limitMs: 180_000 });
    await killAgent(stage, "service", "SIGKILL");
    expectEnd(await running.ended, 1, /error: host "env SIDE=service" is gone: /, "the run");
    await stage.nothingLeft();
    const path = runIn(stage)!;
    // The cell, the same once more, and the ceiling.
    await becomesWhole(stage, path, linesIn(path), 3);
  },
};

/** Services with a fault, and sound ones that are killed, stopped or cut off. */
export const SERVICE_FAULTS: readonly BenchFault[] = ofGroup("services", [...ROWS.map(rowOf), killed, hostLost]);
