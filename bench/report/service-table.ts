import { formatCpu, formatRatio, orDash, percent } from "../basics/units.ts";
import { serviceUsed } from "../judge/bound.ts";
import type { Cost, Parts, Subject } from "../record/card.ts";
import { AA } from "../record/cell.ts";
import { inWords, type WordedPlan } from "../record/in-words.ts";
import type { RunRecord } from "../record/run-record.ts";
import { useText } from "../result/service-texts.ts";
import { layoutOf, textsOf } from "./layout.ts";
import type { TextOptions } from "./style.ts";
import type { TitledTable } from "./table.ts";
import { itemLines } from "./wrap.ts";

type Server = Subject & Pick<Parts, "services">;

/** The use of services by cells: CPU time and counts for each request. A table, or none without services. */
export function serviceTables(
  plan: WordedPlan,
  cards: readonly (Server & Pick<Cost, "generator_share">)[],
): TitledTable[] {
  const uses = cards.filter(({ cell }) => cell.label !== AA).flatMap(({ name, services = [], generator_share }) =>
    services.map((service) => ({
      cell: name,
      used: serviceUsed(service.share, service.own_cpus === false ? generator_share : 0),
      ...service,
    }))
  );
  if (uses.length === 0) return [];
  const counts = [...new Set(uses.flatMap(({ counts_per_request }) => Object.keys(counts_per_request)))];
  const shared = uses.some(({ own_cpus }) => own_cpus === false);
  return [{
    title: "Services beside the servers",
    isText: (column) => column < 2,
    heads: [
      "cell",
      "service",
      ...["CPU/req", "busy", "ceiling", ...counts.map((name) => `${name.replaceAll("_", " ")}/req`)]
        .map((head) => inWords(plan, head)),
    ],
    rows: uses.map(({ cell, name, version, cpu_ns_per_request, share, used, counts_per_request, own_cpus }) => [
      cell,
      `${name} ${version}${own_cpus === false ? " *" : ""}`,
      orDash(cpu_ns_per_request, formatCpu),
      orDash(share, (busy) => percent(busy, 0)),
      used === null || used === 0 ? "–" : `${formatRatio(1 / used)} ×`,
      ...counts.map((count) => numberText(counts_per_request[count])),
    ]),
    ...(shared ? { foot: "* on the load generator's core, for want of one of its own" } : {}),
  }];
}

const numberText = (value: number | undefined) =>
  value === undefined ? "–" : value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));

/** Notes on how cells use services, and where that or their version differs; empty without services. */
export function serviceTexts(
  plan: WordedPlan,
  cards: readonly Server[],
  nameOf: (card: Server) => readonly string[],
): string[] {
  const ranked = cards.filter(({ cell, services = [] }) => cell.label !== AA && services.length > 0);
  const byUse = [...Map.groupBy(ranked, useText)].filter(([use]) => use !== null);
  const uses = byUse.map(([use, some]) => `${use}: ${shortNames(some, ranked, nameOf).join(", ")}`);
  const names = [...new Set(ranked.flatMap(({ services = [] }) => services.map(({ name }) => name)))];
  const mixed = names.flatMap((name) => {
    const versions = ranked.flatMap(({ services = [] }) => services.filter((one) => one.name === name))
      .flatMap(({ version }) => version.split(" and "));
    const different = [...new Set(versions)];
    return different.length > 1 ? [`${name} was not the same everywhere: ${different.join(" and ")}`] : [];
  });
  return [
    ...mixed,
    ...(byUse.length > 1
      ? [`${inWords(plan, "a request")} is not the same work for all: ${uses.join("; ")}`]
      : byUse.map(([use]) => `${inWords(plan, "each request")}: ${use}`)),
  ];
}

function shortNames(
  some: readonly Server[],
  all: readonly Server[],
  nameOf: (card: Server) => readonly string[],
): string[] {
  const firstOf = (card: Server) => nameOf(card)[0]!;
  return [...Map.groupBy(some, firstOf)].flatMap(([first, same]) =>
    same.length === all.filter((card) => firstOf(card) === first).length
      ? [first]
      : same.map((card) => nameOf(card).join(" with "))
  );
}

/** The same for a terminal. */
export function serviceSummary(
  plan: RunRecord["plan"],
  cards: readonly Server[],
  { style, columns }: TextOptions,
): string {
  const layout = layoutOf(plan);
  const texts = serviceTexts(plan, cards, ({ cell }) => textsOf(layout, layout.contrasts, cell));
  if (texts.length === 0) return "";
  return [style.bold("Services"), ...texts.flatMap((text) => itemLines(text, columns)), "", ""].join("\n");
}
