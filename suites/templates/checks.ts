import { firstDifference, pageOracle } from "../page-checks.ts";
import type { Oracle } from "../suite.ts";
import { EXPECTED, type PageName } from "./expected.ts";

/** Returns the oracle of a page for every engine. */
export const oracle = (page: PageName): Oracle =>
  pageOracle({
    path: `/${page}`,
    type: page === "json" ? "application/json" : "text/html",
    how: "byte for byte",
    difference: (body, n) => firstDifference(body, EXPECTED[page](n)),
  });
