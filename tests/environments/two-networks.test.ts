/**
 * Two hosts with a network each and a link between them, as two machines have: the servers' one is a network namespace. Their
 * CPUs and memory are one machine's all the same.
 */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { observationRecord } from "../../bench/record/observation-record.ts";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { environmentWith, must, run, testUnless } from "./command.ts";
import { isServiceHere } from "../service-here.ts";
import { onPath } from "./stub-nixpkgs.ts";

const needed = ["ip", "tc", "wrk"].filter((program) => onPath(program) === undefined);
const missing = needed.length > 0
  ? `not installed: ${needed.join(", ")}`
  : process.getuid?.() !== 0
  ? "network namespaces need root"
  : undefined;
const networkTest = testUnless(missing, test);

const BENCH = join(PROJECT_ROOT, "bin", "bench");
/** Both CPUs are of one machine here, which two machines would not know. */
const CPUS = ["--server-cpus", "1", "--load-cpus", "0"];
const SMALL = ["--runtime", "bun", "--store", "map", "--size", "1k", "--alone", "--rounds", "1", "--duration", "2s"];
const TINY = ["--runtime", "node", "--alone", "--rounds", "1", "--duration", "1s", "--warmup", "1s"];
const HERE = "10.77.0.1", THERE = "10.77.0.2";

/** Makes a network of its own and a link to it, for as long as something takes; gives its name. */
async function withNetwork(work: (name: string, device: string) => Promise<void>): Promise<void> {
  const name = `levelfield-${process.pid}`, device = `lf${process.pid}`;
  await must("ip", ["netns", "add", name]);
  try {
    await must("ip", ["link", "add", device, "type", "veth", "peer", "name", "lf-there", "netns", name]);
    await must("ip", ["address", "add", `${HERE}/30`, "dev", device]);
    await must("ip", ["link", "set", device, "up"]);
    const inside = (...words: string[]) => must("ip", ["netns", "exec", name, "ip", ...words]);
    await inside("address", "add", `${THERE}/30`, "dev", "lf-there");
    await inside("link", "set", "lf-there", "up");
    await inside("link", "set", "lo", "up");
    await work(name, device);
    assert.equal(await must("ip", ["netns", "pids", name]), "", "something is left on the servers' side");
  } finally {
    // Its end of the link goes with it, and so does the other.
    await must("ip", ["netns", "delete", name]);
  }
}

networkTest("servers behind a link are measured over it, and a link that is too narrow is the bound", async () => {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-networks-"));
  try {
    await withNetwork(async (name, device) => {
      const env = environmentWith({
        LEVELFIELD_RESULTS: join(folder, "results"),
        LEVELFIELD_DATA: join(folder, "data"),
        TMPDIR: folder,
      });
      // A machine of its own has a place of its own for what is taken there.
      const there = join(folder, "there");
      mkdirSync(there);
      const hosts = ["--server-host", `ip netns exec ${name} env TMPDIR=${there}`];
      const measured = async (...more: string[]) => {
        const ended = await run(BENCH, ["run", ...SMALL, ...CPUS, ...hosts, ...more, "--json"], { env });
        if (!ended.stdout.startsWith("{")) return { ended, record: null, solos: [] };
        const { run: record } = JSON.parse(ended.stdout);
        await must(BENCH, ["verify", record.run], { env });
        const lines = readFileSync(join(folder, "results", record.run, "journal.ndjson"), "utf8").trim().split("\n");
        const solos = lines.map((line) => observationRecord.parse(JSON.parse(line)))
          .filter(({ kind }) => kind === "solo");
        return { ended, record, solos };
      };

      const unreachable = await measured();
      assert.equal(unreachable.ended.code, 2);
      assert.match(
        unreachable.ended.stderr,
        /servers would listen on 127\.0\.0\.1, where the load .* cannot reach them/,
      );

      const { ended, record, solos } = await measured("--server-address", "auto");
      assert.ok(record !== null && (ended.code === 0 || ended.code === 3), ended.stderr.slice(-2000));
      assert.deepEqual([record.state, record.hosts.address, record.hosts.link.name], ["finished", THERE, "lf-there"]);
      assert.ok(record.hosts.load_machine !== undefined, "two networks count as two machines");
      for (const { counters, load } of solos) {
        const { link } = counters!;
        // A reply and its headers are more than a hundred bytes.
        assert.ok(link!.sent_bytes_per_second! > 100 * 0.5 * load!.requests_per_second, JSON.stringify(link));
        assert.ok(link!.round_trip_us! > 0 && link!.round_trip_us! < 100_000, JSON.stringify(link));
      }

      // Room for a few requests of the fifty there are at a time: the others are lost, and sent again.
      await must("tc", [
        "qdisc",
        "add",
        "dev",
        device,
        "root",
        "tbf",
        ..."rate 20mbit burst 2000 limit 2000".split(" "),
      ]);
      const lossy = await measured("--server-address", THERE);
      assert.ok(lossy.record !== null, lossy.ended.stderr.slice(-2000));
      for (const { bound, counters } of lossy.solos) {
        assert.equal(bound, "network", JSON.stringify(counters));
        assert.ok(counters!.link!.retransmit_share! > 0.001, JSON.stringify(counters!.link));
      }
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

networkTest("a service behind a link lets in who comes from its servers' host, and is counted by its own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-networks-"));
  chmodSync(folder, 0o777);
  try {
    await withNetwork(async (name) => {
      const [results, data] = [join(folder, "results"), join(folder, "data")];
      const env = environmentWith({ LEVELFIELD_RESULTS: results, LEVELFIELD_DATA: data });
      const there = join(folder, "there");
      mkdirSync(there);
      chmodSync(there, 0o777);
      const beside = ["--service-host", `ip netns exec ${name} env TMPDIR=${there}`];
      const measured = async (suite: readonly string[], ...more: string[]) =>
        await run(BENCH, ["run", ...suite, ...TINY, ...CPUS, ...beside, ...more, "--json"], { env });
      const unreachable = await measured(["drivers", "--driver", "postgres"]);
      assert.equal(unreachable.code, 2);
      assert.match(
        unreachable.stderr,
        /services would listen on 127\.0\.0\.1, where the servers' host cannot reach them/,
      );
      for (
        const suite of [
          ["drivers", "--driver", "postgres", "--service", "null"],
          ...(isServiceHere("postgres") ? [["drivers", "--driver", "postgres", "--service", "real"]] : []),
          ...(isServiceHere("redis") ? [["redis", "--driver", "ioredis", "--service", "real"]] : []),
        ]
      ) {
        const ended = await measured(suite, "--service-address", "auto");
        assert.ok(ended.code === 0 || ended.code === 3, ended.stderr.slice(-2000));
        const { run: record } = JSON.parse(ended.stdout);
        const { address, link, machine } = record.hosts.service;
        assert.deepEqual([address, link.name, machine !== undefined], [THERE, "lf-there", true]);
        const lines = readFileSync(join(results, record.run, "journal.ndjson"), "utf8").trim().split("\n");
        const solo = lines.map((line) => observationRecord.parse(JSON.parse(line))).find(({ kind }) =>
          kind === "solo"
        )!;
        assert.ok(solo.load !== null && solo.services![0]![0]!.cpu_ns! > 0, JSON.stringify(solo.marks));
        assert.ok(solo.members[0]!.server!.services![0]!.round_trip_us! > 0);
        assert.equal(solo.counters!.load_core_share, undefined, "its CPU is none of the generator's machine");
      }
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
