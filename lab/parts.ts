import { SUITES } from "../suites/registry.ts";
import type { Args } from "../bench/options/args.ts";
import type { Lab } from "../bench/commands/self.ts";
import { namesFrom } from "../bench/options/from-args.ts";
import { GROUPS_AND_NAMES, linesOf } from "./faults/catalogue.ts";
import { chosenFaults, measureFaults } from "./faults/measure-faults.ts";
import { measureOntime } from "./ontime/prove.ts";
import { type FuzzWish, measureFuzz } from "./fuzz/fuzz.ts";
import { measureStreams } from "./fuzz/streams/measure-streams.ts";

/** The parts of `bench self` that stand here. */
export const PARTS: Lab = {
  fuzz: (args) => {
    const wish = fuzzWishFrom(args);
    return { measure: (site) => measureFuzz(site, SUITES, wish) };
  },
  streams: (args) => {
    const wish = fuzzWishFrom(args);
    return { measure: (site) => measureStreams(site, wish) };
  },
  faults: (args) => {
    const names = namesFrom(args, "fault", "fault", GROUPS_AND_NAMES) ?? [];
    const choice = { names, quick: args.has("quick") };
    return { measure: (site) => measureFaults(site, choice), lines: () => linesOf(chosenFaults(choice)) };
  },
  ontime: () => ({ measure: measureOntime }),
};

const fuzzWishFrom = (args: Args): FuzzWish => ({
  requests: args.get("fuzz-requests"),
  seed: args.get("seed")!,
  apps: args.get("fuzz-app") ?? [],
});
