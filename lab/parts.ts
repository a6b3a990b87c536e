import { SUITES } from "../suites/registry.ts";
import type { Args } from "../bench/input/args.ts";
import type { Lab } from "../bench/commands/open-lab.ts";
import { hostsWishFrom, namesFrom } from "../bench/input/wishes.ts";
import { measureAgents } from "./agents.ts";
import { measureBisect } from "./bisect.ts";
import { measureByHand } from "./by-hand.ts";
import { measureExplain } from "./explain.ts";
import { GROUPS_AND_NAMES, linesOf } from "./faults/catalogue.ts";
import { chosenFaults, measureFaults } from "./faults/measure-faults.ts";
import { type FuzzWish, measureFuzz } from "./fuzz/fuzz.ts";
import { measureGate } from "./gate.ts";
import { measureGenerators } from "./generators.ts";
import { measureKilled } from "./killed.ts";
import { measureOrder } from "./order/order.ts";

/** The parts of `bench self` that stand here. */
export const PARTS: Lab = {
  generators: () => ({ measure: measureGenerators }),
  "by-hand": () => ({ measure: measureByHand }),
  killed: () => ({ measure: measureKilled }),
  gate: () => ({ measure: measureGate }),
  bisect: (args) => {
    const quick = args.has("quick");
    return { measure: (site) => measureBisect(site, quick) };
  },
  explain: () => ({ measure: measureExplain }),
  fuzz: (args) => {
    const wish = fuzzWishFrom(args);
    return { measure: (site) => measureFuzz(site, SUITES, wish) };
  },
  faults: (args) => {
    const names = namesFrom(args, "fault", "fault", GROUPS_AND_NAMES) ?? [];
    const choice = { names, quick: args.has("quick") };
    return { measure: (site) => measureFaults(site, choice), lines: () => linesOf(chosenFaults(choice)) };
  },
  order: () => ({ measure: measureOrder }),
  agents: (args) => {
    const ways = hostsWishFrom(args);
    return { measure: (site) => measureAgents(site, ways) };
  },
};

const fuzzWishFrom = (args: Args): FuzzWish => ({
  requests: args.get("fuzz-requests"),
  seed: args.get("seed")!,
  apps: args.get("fuzz-app") ?? [],
});
