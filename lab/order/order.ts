import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { counted } from "../../bench/basics/units.ts";
import { startChild } from "../../bench/host/child.ts";
import { readRunSummary } from "../../bench/host/run-summary.ts";
import { childEnvironment, type RuntimeBinary, scriptArgs } from "../../bench/host/runtimes.ts";
import type { Summary } from "../../bench/record/summary.ts";
import type { Measurement } from "../../bench/self/measurements.ts";
import type { SelfSite } from "../../bench/self/self-site.ts";
import { measured } from "../measured.ts";
import { startBench } from "../start-bench.ts";
import { clearlyApart, heldAgainst, type Told, type Won } from "./orders.ts";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const PEERS = ["mitata", "tinybench"] as const;

/**
 * Whether functions through `bench run --function` have the same order of winners as by mitata and tinybench, on each
 * runtime, wherever all three have a clear answer. Where noise leaves none, that is said.
 */
export async function measureOrder(site: SelfSite): Promise<Measurement[]> {
  const { equipment: { runtimes, placement }, interrupts } = site;
  const ours = await winnersByBench(site);
  const measurements: Measurement[] = [];
  for (const [label, runtime] of runtimes) {
    if (interrupts.stopped()) break;
    const peers: Won[][] = [];
    for (const peer of PEERS) {
      site.say(`order: ${peer} on ${label}`);
      peers.push(clearlyApart(await toldBy(peer, runtime, interrupts.onStart, placement.serverCpus)));
    }
    const { clear, otherwise } = heldAgainst([ours.get(label) ?? [], ...peers]);
    const note = clear === 0
      ? "no two functions are clearly apart by all three"
      : `${counted(clear, "pair")} clearly apart by all three${
        otherwise.map(([winner, loser]) => `; ${winner} before ${loser} by us`).join("")
      }`;
    measurements.push(
      measured("order")(`${label}: pairs that mitata or tinybench order otherwise`, otherwise.length, {
        most: 0,
      }, note),
    );
  }
  return measurements;
}

/** What a peer tells of the examples on a runtime. Throws what it says where it ends early. */
export async function toldBy(
  peer: (typeof PEERS)[number],
  runtime: Pick<RuntimeBinary, "name" | "version" | "file">,
  onStart: SelfSite["interrupts"]["onStart"],
  cpus: readonly number[] | null = null,
): Promise<Record<string, Told>> {
  const child = startChild({
    file: runtime.file,
    args: [...scriptArgs(runtime), pathOf("peer-main.ts"), peer],
    cpus,
    env: childEnvironment(),
  });
  onStart(() => child.kill("SIGKILL"));
  await child.ended;
  const line = child.stdout().trim();
  if (line === "") throw new Error(`${peer} on ${runtime.name}: ${child.stderrTail().trim()}`);
  return JSON.parse(line);
}

/** Who won by verdicts, for each runtime. */
async function winnersByBench(site: SelfSite): Promise<Map<string, Won[]>> {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-order-"));
  try {
    site.say("order: bench run --function");
    const runtimes = [...site.equipment.runtimes.keys()].join();
    const child = startBench(site, folder, [
      ...["run", "--function", pathOf("examples.ts"), "--runtime", runtimes],
      ...["--quick", "--rounds", String(Math.max(4, site.rounds)), "--yes", "--results", join(folder, "runs")],
    ]);
    await child.ended;
    const [name] = existsSync(join(folder, "runs")) ? readdirSync(join(folder, "runs")) : [];
    if (name === undefined) throw new Error(child.stderrTail().trim());
    return winnersOf(readRunSummary(join(folder, "runs", name)).summary);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The pairs of calls with a verdict, for each runtime. */
export function winnersOf({ cells, families }: Pick<Summary, "cells" | "families">): Map<string, Won[]> {
  const at = new Map(cells.map(({ name, cell }) => [name, cell.point.at]));
  const won = families.filter(({ kind, axis }) => kind === "axis" && axis === "call").flatMap(({ comparisons }) =>
    comparisons.flatMap(({ verdict, over, under }) => {
      const [winner, loser] = [at.get(over)!, at.get(under)!];
      const runtime = String(winner["runtime"]);
      return verdict === "faster" ? [{ runtime, pair: [String(winner["call"]), String(loser["call"])] as Won }] : [];
    })
  );
  return new Map(
    [...Map.groupBy(won, ({ runtime }) => runtime)].map(([name, own]) => [name, own.map((one) => one.pair)]),
  );
}
