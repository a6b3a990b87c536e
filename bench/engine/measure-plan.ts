import { present } from "../basics/present.ts";
import type { Prepared } from "./conductor.ts";
import { conductRun, type FinishedRun, type RunObserver, type RunRequest } from "../observe/conduct-run.ts";
import { hostOptionsOf } from "../observe/connect-hosts.ts";
import { describeHosts } from "../observe/describe-run.ts";
import { equip } from "../observe/equip.ts";
import type { Equipment } from "../observe/site.ts";
import type { StoredPlan } from "../options/stored-plan.ts";
import type { Plan } from "../record/plan.ts";
import type { Host } from "../pipe/host.ts";
import { withMachine } from "../process/scratch-folder.ts";
import { revisionsFolder } from "../runtimes/project-folders.ts";
import { rememberPlan } from "../sources/known-plans.ts";
import { findRevision, type Revision } from "../sources/revision.ts";

/** A prepared plan, the folders of its run, and an observer, made once the equipment of the run is known. */
interface PlanToMeasure
  extends Prepared, Pick<RunRequest, "resultsDirectory" | "dataDirectory" | "interrupts" | "resume" | "untilMs"> {
  readonly observer: (equipment: Equipment) => RunObserver;
}

/**
 * Takes the machine, measures a plan and gives the machine back: the one way in which commands and programs run a plan.
 *
 * @throws BenchError when another run has the machine, a tool is missing, or a host is lost
 */
export async function measurePlan(request: PlanToMeasure): Promise<FinishedRun> {
  const { plan, suite, wish, runtimes, hosts, observer, against: revision, ...rest } = request;
  const against = await revisionOn(hosts.server, revision, rest.dataDirectory);
  return await withMachine(rest.interrupts, async () => {
    const equipment = await equip(plan, wish, runtimes, hosts, suite);
    // Going on with the run takes the hosts from it.
    const wishes = [{}, ...(hosts.link === undefined ? [] : [{ hosts: hostOptionsOf(await describeHosts(hosts)) }])];
    const remember = (plan: Plan) => {
      const whole = { plan, wanted: runtimes.map(({ wanted }) => wanted), against };
      for (const wish of wishes) rememberPlan({ ...whole, ...wish }, process.cwd());
    };
    remember(plan);
    const run = { ...rest, plan, suite, observer: observer(equipment) };
    const finished = await conductRun({ ...run, ...present({ against }) }, equipment);
    // A settle whose time was up has fewer rounds.
    remember(finished.run.plan);
    return finished;
  });
}

/**
 * Checks out another revision of this project on the host of servers. All runs with the same data find it there. Returns
 * undefined without one.
 */
export async function revisionOn(
  host: Host,
  against: StoredPlan["against"],
  dataDirectory: string,
): Promise<Revision | undefined> {
  if (against === undefined) return undefined;
  const revision = { ...await findRevision(against.commit), ref: against.ref };
  const root = await host.checkOut(revision, revisionsFolder(host.dataFolder(dataDirectory)));
  return { ...revision, root };
}
