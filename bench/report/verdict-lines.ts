import type { Summary, VerdictEntry } from "../core/result/summary.ts";
import type { Style } from "./style.ts";

type Family = Summary["families"][number];

/** What contradicts the run itself, one line each, for the top of every output; empty for a sound run. */
export function stampLines(summary: Summary, style: Style): string {
  return summary.stamps.map((stamp) => `${style.red("!")} ${style.bold(stamp.message)}\n`).join("");
}

/** The short name of a subject inside its family: what its members do not share. */
export function memberName(family: Pick<Family, "purpose">, subject: string): string {
  // A runtime's own label may hold an "@" too; a subject's label follows the last slash.
  const [, path, label] = /^(.*\/[^/@]+)(?:@(.+))?$/.exec(subject)!;
  const [, , runtime, store, size] = path!.split("/");
  if (family.purpose === "pair") return `${runtime}/${store}/${size}`;
  const name = family.purpose === "runtimes" ? runtime : family.purpose === "stores" ? store : label ?? "main";
  return label !== undefined && family.purpose !== "labels" ? `${name}@${label}` : name!;
}

const digits = (ratio: number) =>
  ratio >= 99.5 ? Math.round(ratio) : ratio >= 9.95 ? ratio.toFixed(1) : ratio.toFixed(2);

/** One verdict in words: `deno ≥ node by 1.31× [1.28, 1.35]`. */
export function verdictText(family: Pick<Family, "purpose">, entry: VerdictEntry): string {
  const a = memberName(family, entry.a), b = memberName(family, entry.b);
  if (entry.verdict === "no-verdict") return `${a} and ${b}: no verdict, ${entry.reasons[0] ?? entry.cause}`;
  const turned = entry.ratio < 1;
  const ratio = turned ? 1 / entry.ratio : entry.ratio;
  const low = turned ? 1 / entry.interval.high : entry.interval.low;
  const high = turned ? 1 / entry.interval.low : entry.interval.high;
  const range = `${digits(ratio)}× [${digits(low)}, ${digits(high)}]`;
  if (entry.verdict === "faster") {
    return `${entry.winner === "a" ? a : b} faster than ${entry.winner === "a" ? b : a} by ${range}`;
  }
  if (entry.verdict === "equivalent") return `${a} and ${b} equivalent, ${range}`;
  const needed = entry.rounds_needed === null ? "" : `, ${entry.rounds_needed} rounds would tell`;
  return `${a} and ${b} not separable, ${range}${needed}`;
}

/** The verdicts of a run in words, family by family. A family whose verdicts all fail for one reason takes one line. */
export function verdictLines(summary: Summary, style: Style): string {
  const decided = summary.families.some((family) => family.verdicts.some((entry) => entry.verdict !== "no-verdict"));
  if (!decided) {
    const reason = summary.families.flatMap((family) => family.verdicts)
      .flatMap((entry) => entry.verdict === "no-verdict" ? entry.reasons : [])[0];
    return reason === undefined ? "" : style.dim(`No verdicts: ${reason}\n\n`);
  }
  const floor = summary.noise_floor.duet.kind === "unknown" ? summary.noise_floor.solo : summary.noise_floor.duet;
  const delta = floor.kind === "unknown"
    ? ""
    : `; below ${(100 * floor.delta).toFixed(1)} % nothing is called different`;
  const seen = summary.families.flatMap((family) => family.verdicts)
    .flatMap((entry) => entry.verdict === "no-verdict" ? [] : entry.smallest_detectable ?? [])
    .sort((a, b) => a - b);
  const typical = seen.length === 0
    ? ""
    : `; differences of ${(100 * seen[seen.length >> 1]!).toFixed(1)} % would as a rule have been seen`;
  const lines = summary.families.flatMap((family) => {
    const told = family.verdicts.filter((entry) => entry.verdict !== "no-verdict");
    const untold = family.verdicts.length - told.length;
    if (told.length === 0) return [];
    const basis = new Set(told.map((entry) => entry.basis));
    return [
      `${style.bold(family.title)} ${style.dim(`(${[...basis].join(" and ")})`)}`,
      ...told.map((entry) => `  ${verdictText(family, entry)}`),
      ...(untold === 0 ? [] : [style.dim(`  ${untold} without a verdict`)]),
    ];
  });
  return `${style.bold("Verdicts")}${
    style.dim(` (ratios of speed with intervals corrected for the family${delta}${typical})`)
  }\n${lines.join("\n")}\n\n`;
}
