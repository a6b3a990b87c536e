import { wordAxis } from "../../suites/axes.ts";
import type { Axis, RequestPlan, Suite } from "../../suites/suite.ts";
import { withoutSecrets } from "../basics/without-secrets.ts";
import { ALL_ROUTES, ROUTE } from "../record/cell.ts";
import type { UserRequest } from "../record/user-spec.ts";
import { withAxis } from "./with-axis.ts";

/** The most kinds of request that a gate judges each by itself, the commonest first: each takes as long as the mixture. */
const MOST_ROUTES = 4;

/** The value of a kind of request: words that stand in a cell's name. */
const valueOf = ({ method, path }: UserRequest, n: number) =>
  `${n + 1}-${method}${path.split("?")[0]!.replaceAll(/[^\w.]+/g, "-").replace(/-$/, "").slice(0, 40)}`;

/** The axis of a mixture and its kinds of request; its first value is the mixture. */
function routeAxis(requests: readonly UserRequest[]): Axis {
  const values = requests.map(valueOf);
  const phrases = requests.map(({ method, path }, n) => [values[n], `${method} ${withoutSecrets(path).slice(0, 60)}`]);
  return wordAxis({
    name: ROUTE,
    title: "Route",
    role: "condition",
    inEveryRound: true,
    help: "all requests in their shares, or one kind of request by itself",
    values: [ALL_ROUTES, ...values],
    phrases: { [ALL_ROUTES]: "all requests", ...Object.fromEntries(phrases) },
  });
}

/** A suite of several kinds of request each of which can be measured by itself, too; see {@link withAxis}. */
export const withRoutes = (suite: Suite, requests: readonly UserRequest[]): Suite => {
  const axis = routeAxis(requests);
  return withAxis(suite, axis, ALL_ROUTES, (plan, { at }): RequestPlan => {
    const one = plan.mix[axis.values.indexOf(at[ROUTE]!) - 1];
    return one === undefined ? plan : { ...plan, mix: [one] };
  });
};

/** The values of a route axis that a gate measures: the mixture and its commonest kinds of request. */
export function routesToJudge(requests: readonly UserRequest[]): string[] {
  const byShare = requests.map(({ weight = 1 }, n) => ({ n, weight })).sort((a, b) => b.weight - a.weight || a.n - b.n);
  const chosen = byShare.slice(0, MOST_ROUTES).map(({ n }) => n).sort((a, b) => a - b);
  return [ALL_ROUTES, ...chosen.map((n) => valueOf(requests[n]!, n))];
}
