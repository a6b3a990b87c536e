import { formatBytes, formatCpu, orDash, percent } from "../basics/units.ts";
import { formatCpuList } from "../basics/cpu-list.ts";
import { WORKERS_AXIS, workersOf } from "../plan/workers.ts";
import type { Cost, Parts, Speed, Subject } from "../record/card.ts";
import { AA, atWithout, pointKey } from "../record/cell.ts";
import type { TitledTable } from "./table.ts";

type Server =
  & Subject
  & Pick<Speed, "requests_per_second">
  & Pick<Cost, "cpu_ns_per_request">
  & Pick<Parts, "workers">;

const HEADS = ["cell", "of one worker × n", "CPU/req", "memory each", "requests", "CPU", "beside", "on CPUs"];

/** The work of each worker, and the rate over that of as many single servers among `all`. */
export function workerTables(cards: readonly Server[], all: readonly Server[] = cards): TitledTable[] {
  const ranked = cards.filter(({ cell, workers }) => cell.label !== AA && workers !== undefined);
  if (ranked.length === 0) return [];
  const rows = ranked.map((card) => {
    const { each, beside_share } = card.workers!;
    const parts = (of: (worker: typeof each[number]) => number | null, text: (value: number) => string) =>
      each.some((worker) => of(worker) !== null) ? each.map((worker) => orDash(of(worker), text)).join(" + ") : "–";
    const share = (value: number) => percent(value, 0);
    return [
      card.name,
      efficiencyText(card, all),
      orDash(card.cpu_ns_per_request, formatCpu),
      parts(({ bytes }) => bytes, formatBytes),
      parts(({ request_share }) => request_share, share),
      parts(({ cpu_share }) => cpu_share, share),
      orDash(beside_share, percent),
      formatCpuList([...new Set(each.flatMap(({ cpus }) => cpus))].sort((a, b) => a - b)) || "–",
    ];
  });
  return [{ title: "Workers, the busiest first", isText: (column) => column === 0, heads: HEADS, rows }];
}

function efficiencyText(card: Server, all: readonly Server[]): string {
  const { point, label } = card.cell;
  const count = workersOf(point.at);
  const keyOf = ({ cell }: Subject, ...without: string[]) =>
    pointKey({ ...cell.point, at: atWithout(cell.point.at, WORKERS_AXIS, ...without) });
  const ones = all.filter(({ cell }) => cell.label === label && workersOf(cell.point.at) === 1);
  const one = ones.find((other) => keyOf(other) === keyOf(card)) ??
    ones.find((other) => other.workers === undefined && keyOf(other, "workersBy") === keyOf(card, "workersBy"));
  const [rate, single] = [card.requests_per_second, one?.requests_per_second ?? null];
  return count === 1 || rate === null || !single ? "–" : percent(rate / single / count, 0);
}
