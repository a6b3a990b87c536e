import type { Interrupts } from "../machine/interrupts.ts";
import type { Cell } from "../record/cell-schema.ts";
import type { CountedLook } from "../record/gated.ts";
import { lookStep, withOthersStopped } from "./explain-cells.ts";
import { openMember } from "./findings.ts";
import { makeReady } from "./make-ready.ts";
import { type Running, warmingOf } from "./running.ts";
import { noServers } from "./servers.ts";
import type { Site } from "./site.ts";
import { Stopped } from "./stopped.ts";
import { systemCallsDuring } from "./system-calls.ts";
import { loadForUse, readServerUse } from "./used-window.ts";

const LOOKS = 2;
const LOOK_MS = 1_000;

/**
 * Counts what each of some servers does for a request, in two looks each, forth and back, the others stopped. One
 * connection sends one request after the other: with several a server answers some of them at a time, as it happens.
 *
 * @returns looks by cell, in the order of the cells
 * @throws Stopped where a server cannot be started or answers nothing
 */
export async function countCells(
  cells: readonly Cell[],
  site: Site,
  { stopped }: Pick<Interrupts, "stopped">,
): Promise<readonly (readonly CountedLook[])[]> {
  const members = cells.map(openMember);
  const step = lookStep(cells);
  const servers = noServers(site.hosts, false);
  try {
    await makeReady(members, step, site, servers);
    const running = servers.running();
    const lost = members.find((member) => !running.some((each) => each.member === member));
    if (lost !== undefined) throw new Stopped(lost.marks);
    for (const { server } of running) await server.process?.kill("SIGSTOP");
    const looks = new Map(members.map((member) => [member, [] as CountedLook[]]));
    for (let look = 0; look < LOOKS; look++) {
      for (const each of look % 2 === 0 ? running : running.toReversed()) {
        if (stopped()) return [];
        looks.get(each.member)!.push(await withOthersStopped(each, () => counted(each, site, look)));
      }
    }
    return [...looks.values()];
  } finally {
    await servers.stopAll();
  }
}

async function counted(each: Running, site: Site, look: number): Promise<CountedLook> {
  const { running: [{ requests, ...rest }], site: one } = warmingOf([each], site) as {
    running: [Running];
    site: Site;
  };
  const single = { ...rest, requests: { ...requests, pace: { closed: 1 } } };
  let answered = 0;
  const load = async () => {
    const { result } = await loadForUse(single, one, lookStep([each.member.cell]), 310 + look, LOOK_MS);
    answered = result.requests;
  };
  const written = () => readServerUse(each.server.pid).writtenBytes;
  const before = written();
  const calls = await systemCallsDuring(each.server.pid!, load, site);
  if (answered === 0) await load();
  const after = written();
  const perRequest = (count: number) => count / Math.max(1, answered);
  return {
    calls: calls === null || "failed" in calls
      ? null
      : Object.fromEntries(Object.entries(calls).map(([name, count]) => [name, perRequest(count as number)])),
    written_bytes: before === null || after === null ? null : perRequest(after - before),
  };
}
