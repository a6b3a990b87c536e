/** Why two single runs give no verdict, and what to do about it. */
export const SINGLE_RUNS = "rounds of one run are not runs: measure both in one run (--against), " +
  "or give several runs a side, comma-separated";
