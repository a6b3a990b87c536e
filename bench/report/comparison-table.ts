import type { RunComparison } from "../core/result/compare-runs.ts";
import { formatRate } from "../core/units.ts";
import type { Style } from "./style.ts";

const HEADER = ["cell", "A req/s", "B req/s", "B / A", "interval", "verdict"] as const;

const percent = (ratio: number) => `${ratio >= 1 ? "+" : "−"}${Math.abs(100 * (ratio - 1)).toFixed(1)} %`;

/** The rows of a comparison: rates, change from A to B with its interval, verdict in words. */
function rowsOf({ cells }: RunComparison): string[][] {
  return cells.map(({ cell, a, b, verdict }) => {
    const name = cell.split("/").slice(2).join("/");
    const rates = [a, b].map((rate) => rate === null ? "–" : formatRate(rate));
    if (verdict.verdict === "no-verdict") {
      return [name, ...rates, "–", "–", `no verdict: ${verdict.reasons[0] ?? verdict.cause}`];
    }
    const { low, high } = verdict.interval;
    const words = verdict.verdict === "faster"
      ? verdict.winner === "b" ? "faster" : "slower"
      : verdict.verdict === "equivalent"
      ? "equivalent"
      : `not separable${verdict.rounds_needed === null ? "" : ` (${verdict.rounds_needed} rounds would tell)`}`;
    return [name, ...rates, percent(1 / verdict.ratio), `[${percent(1 / high)}, ${percent(1 / low)}]`, words];
  });
}

function preface({ environment, paired, delta, onlyInA, onlyInB }: RunComparison): string[] {
  const lines: string[] = [];
  if (!paired) {
    lines.push(
      "Measured in different runs: what changed between them does not cancel. Within one run it does (--against).",
    );
  }
  if (environment.length > 0) {
    lines.push(`Their environments differ in ${environment.length} ${environment.length === 1 ? "thing" : "things"}:`);
    lines.push(...environment.slice(0, 12).map((text) => `  ${text}`));
    if (environment.length > 12) lines.push(`  and ${environment.length - 12} more`);
  }
  if (delta !== null) lines.push(`Differences below ${(100 * delta).toFixed(1)} % are not believed.`);
  if (onlyInA.length > 0) lines.push(`${onlyInA.length} cells are only in A`);
  if (onlyInB.length > 0) lines.push(`${onlyInB.length} cells are only in B`);
  return lines;
}

/** A comparison for a terminal. */
export function comparisonTable(names: readonly [string, string], comparison: RunComparison, style: Style): string {
  const rows = [[...HEADER], ...rowsOf(comparison)];
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    row.map((cell, column) =>
      column === 0 || column === 5 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)
    )
      .join("  ").trimEnd();
  return [
    `A = ${names[0]}, B = ${names[1]}`,
    ...preface(comparison),
    "",
    style.bold(line(rows[0]!)),
    ...rows.slice(1).map((row) => {
      const text = line(row);
      return row[5] === "faster" ? style.green(text) : row[5] === "slower" ? style.red(text) : text;
    }),
    "",
  ].join("\n") + "\n";
}

/** A comparison for a pull request. */
export function comparisonMarkdown(names: readonly [string, string], comparison: RunComparison): string {
  const escape = (text: string) => text.replaceAll("|", "\\|");
  return [
    `A = \`${names[0]}\`, B = \`${names[1]}\``,
    "",
    ...preface(comparison).map((text) => text.startsWith("  ") ? `- ${text.trim()}` : text),
    "",
    `| ${HEADER.join(" | ")} |`,
    "| --- | ---: | ---: | ---: | ---: | --- |",
    ...rowsOf(comparison).map((row) => `| ${row.map(escape).join(" | ")} |`),
    "",
  ].join("\n");
}
