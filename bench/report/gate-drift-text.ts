import { counted, formatCpu, percent } from "../basics/units.ts";
import type { GateSeries } from "../result/gate-drift.ts";
import { printable } from "./align.ts";
import type { TextOptions } from "./style.ts";
import { sparkOf } from "./track-text.ts";
import { wrapped } from "./wrap.ts";

const signed = (share: number) => `${share >= 0 ? "+" : "−"}${percent(Math.abs(share))}`;

/** Sentences on the drift of a series of gates. */
export function driftTexts({ gates, drift, chain }: GateSeries): string[] {
  const at = (place: number) => `${gates[place]!.commit.slice(0, 7)} of ${gates[place]!.at.slice(0, 10)}`;
  const summed = chain === null ? [] : [
    `What gates found from commit to commit, each in one run, sums to ${signed(chain.change)} (${
      signed(chain.low)
    } to ${signed(chain.high)}): a change that they do not have is the machine's.`,
  ];
  switch (drift.kind) {
    case "unknown":
      return [
        `No drift can be told yet: it takes ${drift.least} commits on one kind of CPU and runtime, not ${drift.n}.`,
      ];
    case "none":
      return [`No drift is proven over ${counted(drift.n, "commit")}.`];
    case "step":
      return [`It changed by ${signed(drift.change)} at ${at(drift.at)}, and stayed.`, ...summed];
    case "drift": {
      const { slope, low, high, change, since, orStep } = drift;
      const or = orStep === null ? "" : `; one step of ${signed(orStep.change)} at ${at(orStep.at)} fits as well`;
      return [
        `${signed(slope)} a week (${signed(low)} to ${signed(high)}) since ${at(since)}: ${
          signed(change)
        } in all${or}.`,
        ...summed,
      ];
    }
  }
}

/** Gates over time for a terminal: for each module and place a bar a commit, the newest and the oldest cost, its drift. */
export function gateSeriesLines(series: readonly GateSeries[], { style, columns }: TextOptions): string {
  return series.flatMap((one) => {
    const { module, title, gates, changed, drift } = one;
    const bars = sparkOf(gates.map(({ yours_ns }) => yours_ns), changed);
    const figures = `${formatCpu(gates.at(-1)!.yours_ns)} (${formatCpu(gates[0]!.yours_ns)})`;
    const room = columns - figures.length - 3;
    const paint = drift.kind === "drift" && drift.slope > 0 ? style.red : style.bold;
    const texts = driftTexts(one).flatMap((text) => wrapped(printable(text), columns - 2));
    return [
      style.bold(printable(`${module}${title === "" ? "" : ` at ${title}`}: ${counted(gates.length, "gate")}`)),
      `  ${bars.length > room ? `…${bars.slice(1 - room)}` : bars} ${figures}`,
      ...texts.map((line, n) => `  ${n === 0 ? paint(line) : line}`),
      "",
    ];
  }).join("\n");
}
