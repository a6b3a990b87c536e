import { SUITES } from "../suites/registry.ts";
import type { Args } from "../bench/input/read-args.ts";
import type { Lab } from "../bench/commands/open-lab.ts";
import { hostsWishFrom, namesFrom, numberFrom } from "../bench/input/option-values.ts";
import { measureAgents } from "./agents.ts";
import { measureBoard } from "./board.ts";
import { measureByHand } from "./by-hand.ts";
import { GROUPS_AND_NAMES, linesOf } from "./faults/catalogue.ts";
import { chosenFaults, measureFaults } from "./faults/measure-faults.ts";
import { FUZZ_REQUESTS, FUZZ_SEED, type FuzzWish, measureFuzz } from "./fuzz/fuzz.ts";
import { measureGate } from "./gate.ts";
import { measureGenerators } from "./generators.ts";
import { measureKilled } from "./killed.ts";

/** So many requests to each server may be asked for. */
const [LEAST_FUZZED, MOST_FUZZED] = [100, 10_000_000];

/** The parts of `bench self` that stand here. */
export const PARTS: Lab = {
  generators: () => ({ measure: measureGenerators }),
  "by-hand": () => ({ measure: measureByHand }),
  killed: () => ({ measure: measureKilled }),
  gate: () => ({ measure: measureGate }),
  board: () => ({ measure: measureBoard }),
  fuzz: (args) => {
    const wish = fuzzWishFrom(args);
    return { measure: (site) => measureFuzz(site, SUITES, wish) };
  },
  faults: (args) => {
    const names = namesFrom(args, "fault", "fault", GROUPS_AND_NAMES) ?? [];
    const choice = { names, quick: args.has("quick") };
    return { measure: (site) => measureFaults(site, choice), lines: () => linesOf(chosenFaults(choice)) };
  },
  agents: (args) => {
    const ways = hostsWishFrom(args);
    return { measure: (site) => measureAgents(site, ways) };
  },
};

const fuzzWishFrom = (args: Args): FuzzWish => ({
  requests: numberFrom(args, "fuzz-requests", LEAST_FUZZED, MOST_FUZZED) ?? FUZZ_REQUESTS,
  seed: numberFrom(args, "seed", 0, 2 ** 32 - 1) ?? FUZZ_SEED,
  apps: args.value("fuzz-app")?.split(",").filter((word) => word !== "") ?? [],
});
