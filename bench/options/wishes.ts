import { unknownName } from "../basics/unknown-name.ts";
import type { PlacementWish } from "../plan/placement.ts";
import type { HostsWish } from "../observe/connect-hosts.ts";
import type { Args } from "./args.ts";

/** The CPUs asked for. */
export function placementWishFrom(args: Args): PlacementWish {
  const [serverCpus, loadCpus] = [args.get("server-cpus"), args.get("load-cpus")];
  const forceWorkers = args.has("force-workers");
  return { ...(serverCpus && { serverCpus }), ...(loadCpus && { loadCpus }), ...(forceWorkers && { forceWorkers }) };
}

/** Options that say where servers and load generator run. */
export const HOST_OPTIONS = ["server-host", "load-host", "server-address", "service-host", "service-address"] as const;

/** The hosts asked for. */
export function hostsWishFrom(args: Args): HostsWish {
  const [server, load, address, service, serviceAddress] = HOST_OPTIONS.map((option) => args.get(option));
  return { server, load, address, service, serviceAddress };
}

/** Words of an option against the names there are; undefined when it is not given. */
export function namesFrom<T extends string>(
  args: Args,
  option: "only" | "fault",
  what: string,
  known: readonly T[],
): T[] | undefined {
  const names = args.get(option);
  const unknown = names?.find((name) => !known.includes(name as T));
  if (unknown !== undefined) throw unknownName(what, unknown, known);
  return names && known.filter((name) => names.includes(name));
}
