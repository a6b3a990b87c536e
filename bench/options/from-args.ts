import type { Suite } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { PROFILES, type Settled } from "../plan/profile.ts";
import type { Args } from "./args.ts";
import { valuesFrom } from "./axis-values.ts";
import { RATE } from "../record/cell.ts";
import { AMOUNT_OPTIONS } from "../record/ranges.ts";
import { openRates } from "./with-rate.ts";
import { settle } from "./settle.ts";
import type { PlacementWish } from "../plan/placement.ts";
import type { HostsWish } from "../plan/plan-actions.ts";

const SAY_HOW_MUCH = [
  "quick",
  "thorough",
  "preset",
  "rate",
  "alone",
  "time",
  ...AMOUNT_OPTIONS.map(({ option }) => option),
] as const;

/** True if `bench run` takes --quick by itself: no suite, no amounts and no values of axes were given by hand. */
export const takesQuick = ({ command, words, axes, has }: Args): boolean =>
  command === "run" && words.length === 0 && !SAY_HOW_MUCH.some(has) &&
  axes("flag").length === 0;

/** Settles the choices of a command line; runtimes are still as they were written. */
export function settledFrom(args: Args, suite: Suite): Settled {
  if (args.has("quick") && args.has("thorough")) {
    throw usageError("--quick and --thorough exclude each other", "give one of them");
  }
  const unsaid = takesQuick(args);
  const timeMs = args.get("time");
  const isQuick = unsaid || args.has("quick") || timeMs !== undefined;
  const profile = args.has("thorough") ? "thorough" : isQuick ? "quick" : "default";
  const settled = settle(suite, {
    profile: PROFILES[profile],
    preset: args.get("preset"),
    timeMs,
    given: {
      ...Object.fromEntries(AMOUNT_OPTIONS.map(({ option, field }) => [field, args.get(option)])),
      at: valuesFrom(args, suite),
    },
    from: args.from,
    ...planChoicesFrom(args),
  });
  const loads = args.get("warmup-loads");
  if (loads !== undefined && settled.warmup.kind === "steady") {
    throw usageError(
      `--warmup-loads "${loads}" counts loads of --warmup, which is not given`,
      `--warmup 1s --warmup-loads ${loads}, or neither: servers then warm up until they are steady`,
    );
  }
  if (args.from("schedule") === "flag" && openRates(settled.values[RATE]).length === 0) {
    const schedule = args.get("schedule");
    throw usageError(`--schedule "${schedule}" is of rates, and none is given`, `--rate 1000 --schedule ${schedule}`);
  }
  return settled;
}

/** The choices of a command line that no profile and no preset changes. */
export const planChoicesFrom = (args: Args) => ({
  seed: args.get("seed"),
  replyMs: args.get("timeout"),
  restMs: args.get("rest"),
  label: args.get("label"),
  alone: args.has("alone"),
  like: args.has("like"),
  schedule: args.get("schedule"),
});

/** The CPUs that were chosen by hand or by a config. */
export function placementWishFrom(args: Args): PlacementWish {
  const [serverCpus, loadCpus] = [args.get("server-cpus"), args.get("load-cpus")];
  const forceWorkers = args.has("force-workers");
  return { ...(serverCpus && { serverCpus }), ...(loadCpus && { loadCpus }), ...(forceWorkers && { forceWorkers }) };
}

/** The hosts and addresses that were given by hand. */
export const hostsWishFrom = (args: Args): HostsWish => ({
  server: args.get("server-host"),
  load: args.get("load-host"),
  address: args.get("server-address"),
  service: args.get("service-host"),
  serviceAddress: args.get("service-address"),
});
