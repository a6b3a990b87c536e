import { percent } from "../basics/percent.ts";
import { formatUs } from "../basics/units.ts";
import type { CellCard } from "../record/card.ts";
import { AA } from "../record/cell.ts";
import { folded, printable } from "./align.ts";
import type { Style } from "./style.ts";

/** Columns of text. */
const isText = (column: number) => column < 2;

/** What the services of cells used and counted for each request, heads first; null where no cell has any. */
export function serviceRows(cards: readonly CellCard[]): string[][] | null {
  const uses = cards.filter(({ cell }) => cell.label !== AA).flatMap(({ name, services = [] }) =>
    services.map((service) => ({ cell: printable(name), ...service }))
  );
  if (uses.length === 0) return null;
  const counts = [...new Set(uses.flatMap(({ counts_per_request }) => Object.keys(counts_per_request)))];
  const shared = uses.some(({ own_cpus }) => own_cpus === false);
  return [
    ["cell", "service", "CPU/req", "busy", ...counts.map((name) => `${name.replaceAll("_", " ")}/req`)],
    ...uses.map(({ cell, name, version, cpu_ns_per_request, share, counts_per_request, own_cpus }) => [
      cell,
      `${name} ${version}${shared && own_cpus === false ? " *" : ""}`,
      cpu_ns_per_request === null ? "–" : formatUs(cpu_ns_per_request / 1_000),
      share === null ? "–" : percent(share, 0),
      ...counts.map((count) => numberText(counts_per_request[count])),
    ]),
  ];
}

const numberText = (value: number | undefined) =>
  value === undefined ? "–" : value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));

/** The same for a terminal; empty where no cell has a service. */
export function serviceLines(cards: readonly CellCard[], style: Style, columns = Infinity): string {
  const rows = serviceRows(cards);
  if (rows === null) return "";
  const [head, ...lines] = folded(rows, isText, columns - 2);
  const note = rows.some(([, service]) => service!.endsWith(" *"))
    ? [`  ${style.dim("* on the load generator's core, for want of one of its own")}`]
    : [];
  return [
    style.bold("Services beside the servers"),
    ...[...head!.map(style.dim), ...lines.flat()].map((line) => `  ${line}`),
    ...note,
    "",
    "",
  ].join("\n");
}
