import { AA, MAIN } from "../../core/plan.ts";
import type { CellCard } from "../../core/result/cell-card.ts";
import type { Summary } from "../../core/result/summary.ts";
import { formatSize } from "../../core/units.ts";
import { answersOf } from "../answer.ts";
import { GRADE_MEANING } from "../grade.ts";
import { markOf } from "../page/heat-table.ts";
import { intervalText, isRanked, metricOf, METRICS, valueText } from "../page/metrics.ts";
import type { RunFiles } from "../shown-run.ts";

const RATE = METRICS[0]!;

/** Markdown for READMEs and pull requests: trust first, then the answer, then one table with a column a size. */
export function toMarkdown({ run, summary, cells }: RunFiles): string {
  const stamps = summary.stamps.map((stamp) => `> **${cellText(stamp.message)}**`);
  const answers = answersOf(run, summary, cells).map(({ size, sentences }) =>
    `- **${formatSize(size)} users**: ${sentences.map(cellText).join(" ")}`
  );
  return [
    ...(stamps.length === 0 ? [] : [...stamps, ""]),
    ...answers,
    "",
    rateTable(cells, summary),
    "",
    `Medians over ${run.plan.rounds} rounds in requests per second, with 95 % intervals. ` +
    `Grade **${run.grade.grade}**: ${GRADE_MEANING[run.grade.grade]}. ` +
    `Run ${cellText(run.run)} on ${cellText(run.machine.cpu_model)}, ` +
    `${run.runtimes.map(({ name, version }) => `${name} ${version}`).join(", ")}, ${run.generator.name}.`,
    "",
  ].join("\n");
}

/** Stores and runtimes down, sizes across. The best of a column is bold; marked cells say why. */
export function rateTable(cells: readonly CellCard[], summary: Summary): string {
  const shown = cells.filter((card) => card.label !== AA);
  const sizes = [...new Set(shown.map((card) => card.cell.size))].sort((a, b) => a - b);
  const flags = new Map(summary.cells.map((cell) => [JSON.stringify([cell.cell, cell.label]), cell.flags]));
  const best = new Map(sizes.map((size) => {
    const rates = shown.filter((card) => card.cell.size === size && isRanked(card));
    return [size, Math.max(...rates.map((card) => card.requests_per_second!))];
  }));
  const stores = [...new Set(shown.map((card) => card.cell.store))];
  const rows = Map.groupBy(shown, ({ cell, label }) => JSON.stringify([cell.store, cell.runtime, label]));
  const body = [...rows.values()]
    .sort((a, b) => stores.indexOf(a[0]!.cell.store) - stores.indexOf(b[0]!.cell.store))
    .map((row) => {
      const { cell, label } = row[0]!;
      const name = label === MAIN ? cell.runtime : `${cell.runtime}@${label}`;
      const columns = sizes.map((size) => {
        const card = row.find((candidate) => candidate.cell.size === size);
        if (card === undefined) return "";
        const own = flags.get(JSON.stringify([card.cell, card.label])) ?? [];
        const mark = markOf(card, own.filter((flag) => flag.objection));
        const value = valueText(card, metricOf(RATE.key));
        const strong = isRanked(card) && card.requests_per_second === best.get(size) ? `**${value}**` : value;
        const note = mark === null || mark.level === "note" ? "" : ` (${mark.text})`;
        return cellText(`${`${strong} ${intervalText(card, RATE)}`.trim()}${note}`);
      });
      return `| ${cellText(cell.store)} | ${cellText(name)} | ${columns.join(" | ")} |`;
    });
  return [
    `| store | runtime | ${sizes.map((size) => `${formatSize(size)} users`).join(" | ")} |`,
    `| --- | --- | ${sizes.map(() => "--:").join(" | ")} |`,
    ...body,
  ].join("\n");
}

/** Text that stays inside its place in a Markdown table and brings no HTML. */
function cellText(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replace(/[\r\n]+/g, " ").trim();
}
