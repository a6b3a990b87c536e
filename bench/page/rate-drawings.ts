/** The drawing of latency over rates, as marks of Observable Plot, and its points with their evidence. */
import * as Plot from "#plot";
import { counted, formatRate, formatUs, type Limit, orDash, percent } from "../basics/units.ts";
import type { CellOutcome, OpenLoop, Subject } from "../record/card.ts";
import { RATE } from "../record/cell.ts";
import type { LatencyCell } from "../record/latency-schema.ts";
import { lookColour, type ValueLook } from "../report/look.ts";
import { exactTicks, logTicks, NAME_BELOW } from "./chart-look.ts";
import { chartPicture } from "./drawn.ts";

interface LatencySpot {
  /** `50%`, `1000`, `step 3 (bisect)`. */
  readonly name: string;
  readonly perSecond: number;
  /** From when requests were due, in microseconds; null if the generator counts from when it sent them. */
  readonly us: number | null;
  /** The median over windows at a rate, or a step of the search by whether the limit held; `unknown` if it was not judged. */
  readonly kind: "rate" | "holds" | "fails" | "unknown";
  readonly answeredShare: number | null;
  /** Scheduled requests that were never sent. */
  readonly dropped: number | null;
  /** From when requests were sent, in microseconds; null if it was not measured. */
  readonly sentUs: number | null;
  /** The interval of the median over windows; null for too few windows. */
  readonly interval: { readonly low_us: number; readonly high_us: number } | null;
  readonly text: string;
}

/** Returns the points of one server: its cards at rates, then the steps of its search; those without a latency are left out. */
export function latencySpots(
  { knee }: Pick<LatencyCell, "knee">,
  atRates: readonly (Subject & CellOutcome & OpenLoop)[],
): LatencySpot[] {
  const answered = (share: number | null) => share === null ? "" : `, ${percent(share)} answered`;
  return [
    ...atRates.flatMap(({ cell, open_loop: loop, observations, observations_ok }): LatencySpot[] => {
      const { due, sent } = loop?.by_clock ?? {};
      const [p99, sentUs] = [due?.p99 ?? null, sent?.p99?.us ?? null];
      const name = String(cell.point.at[RATE]);
      return loop === undefined || (p99 ?? sentUs) === null ? [] : [{
        name,
        perSecond: loop.offered_per_second,
        us: p99?.us ?? null,
        kind: "rate",
        answeredShare: loop.answered_share,
        dropped: loop.dropped,
        sentUs,
        interval: p99 === null || p99.coverage === null ? null : p99,
        text: `${name}: ${formatRate(loop.offered_per_second)} req/s, p99 ${orDash(p99?.us, formatUs)}` +
          `${answered(loop.answered_share)}, ${observations_ok} of ${counted(observations, "window")}`,
      }];
    }),
    ...(knee?.steps ?? []).flatMap((step, n): LatencySpot[] =>
      step.us === null ? [] : [{
        name: `step ${n + 1} (${step.why})`,
        perSecond: step.per_second,
        us: step.us,
        kind: step.holds === null ? "unknown" : step.holds ? "holds" : "fails",
        answeredShare: step.sent_share,
        dropped: step.dropped ?? null,
        sentUs: null,
        interval: null,
        text: `step ${n + 1} (${step.why}): ${formatRate(step.per_second)} req/s, ${formatUs(step.us)}` +
          `${answered(step.sent_share)}${step.marks.map(({ text }) => `; ${text}`).join("")}`,
      }]
    ),
  ];
}

/** The look of each kind of point, in the order of the legend. */
export const SPOT_KINDS: Readonly<
  Record<LatencySpot["kind"] | "sent", { readonly text: string; readonly look: ValueLook }>
> = {
  rate: { text: "median over windows", look: { colour: 3, shape: "circle" } },
  sent: { text: "the same by the sender's clock", look: { colour: 2, shape: "diamond" } },
  holds: { text: "step that holds the limit", look: { colour: 4, shape: "triangle" } },
  fails: { text: "step that does not", look: { colour: 1, shape: "cross" } },
  unknown: { text: "step that was not judged", look: { colour: 5, shape: "wye" } },
};

const dots = (spots: readonly LatencySpot[], look: ValueLook, y: "us" | "sentUs") =>
  Plot.dot(spots, {
    ...{ x: "perSecond", y, symbol: look.shape, fill: lookColour(look), stroke: lookColour(look), r: 4.5 },
    title: ({ text, dropped, sentUs }: LatencySpot) =>
      text + (dropped === null ? "" : `\n${dropped} never sent`) +
      (sentUs === null ? "" : `\nby the sender's clock ${formatUs(sentUs)}`),
  });

/** Latency over the rate that was due: every point, the limit as a level, the knee and the closed loop's rate upright. */
export function latencyOverRate(
  cell: Pick<LatencyCell, "knee" | "capacity_per_second">,
  spots: readonly LatencySpot[],
  limit: Limit | null,
  width: number,
) {
  if (spots.length === 0) return null;
  const knee = cell.knee?.per_second ?? null;
  const capacity = cell.capacity_per_second;
  const most = Math.max(...spots.map(({ perSecond }) => perSecond), knee ?? 0, capacity ?? 0);
  const upright = (rate: number | null, text: string, dashes: string, frameAnchor: "top" | "bottom") =>
    rate === null ? [] : [
      Plot.ruleX([rate], { stroke: "currentColor", strokeDasharray: dashes }),
      Plot.text([rate], { x: Plot.identity, text: () => text, frameAnchor, dy: -8 }),
    ];
  return chartPicture({
    ...{ width, height: 300, marginLeft: 62, marginTop: 34, marginBottom: 46, marginRight: 24, grid: true },
    ariaLabel: "Latency over the rate that was due",
    x: {
      label: "requests a second that were due",
      domain: [0, 1.05 * most],
      tickFormat: exactTicks(formatRate),
      ...NAME_BELOW,
    },
    y: { type: "log", label: "latency", tickFormat: logTicks(formatUs, /^[125]/) },
    marks: [
      ...upright(knee, "knee", "5,3", "top"),
      ...upright(capacity, "closed loop", "1,4", "bottom"),
      ...(limit === null ? [] : [
        Plot.ruleY([limit.us], { stroke: lookColour(SPOT_KINDS.fails.look), strokeDasharray: "5,3" }),
        Plot.text([limit], { y: "us", text: "text", frameAnchor: "left", textAnchor: "start", dx: 4, dy: -7 }),
      ]),
      Plot.line(spots.filter(({ kind, us }) => kind !== "unknown" && us !== null), {
        ...{ x: "perSecond", y: "us", sort: { channel: "x" }, stroke: "currentColor", strokeOpacity: 0.45 },
      }),
      Plot.ruleX(spots.filter(({ interval }) => interval !== null), {
        ...{ x: "perSecond", stroke: lookColour(SPOT_KINDS.rate.look), strokeWidth: 2 },
        y1: ({ interval }: LatencySpot) => interval!.low_us,
        y2: ({ interval }: LatencySpot) => interval!.high_us,
      }),
      dots(spots.filter(({ sentUs }) => sentUs !== null), SPOT_KINDS.sent.look, "sentUs"),
      ...(["rate", "holds", "fails", "unknown"] as const).map((kind) =>
        dots(spots.filter((spot) => spot.kind === kind && spot.us !== null), SPOT_KINDS[kind].look, "us")
      ),
    ],
  });
}
