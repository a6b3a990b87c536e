import { cellKey, cellName } from "../record/cell.ts";
import type { Observation } from "../record/observation-record.ts";
import type { RunRecord } from "../record/run-record.ts";
import { socketErrors } from "../judge/judge-load.ts";
import { median } from "../statistics/median.ts";
import { counted, formatUs } from "../basics/units.ts";
import { tableLines } from "./table.ts";
import type { TextOptions } from "./style.ts";

const SHARES = [0.5, 0.66, 0.75, 0.8, 0.9, 0.95, 0.98, 0.99];

const EXPLAINED = "ab says so where mean and median of making a connection differ by more than twice their standard " +
  "deviation\n(by more than once in a WARNING). It rounds both to whole milliseconds first, and on one machine a " +
  "connection takes\nmicroseconds: that is rounding, and says nothing about the server.";

const HTTP_1_0 = "ab speaks HTTP/1.0, in which a server closes a connection unless it says otherwise: this one did, " +
  "whatever was asked.";

/** A run as ab itself puts it, with its warnings explained; empty for every other generator. */
export function asReported(
  { plan, generator }: RunRecord,
  lines: readonly Observation[],
  { style, columns }: TextOptions,
): string {
  if (generator.name !== "ab") return "";
  const solos = lines.filter(({ kind, load }) => kind === "solo" && load !== null);
  const cells = [...Map.groupBy(solos, ({ members }) => cellKey(members[0]!.cell)).values()];
  const rows = cells.map((windows) => {
    const at = (share: number) => {
      const reported = windows.flatMap(({ latency }) =>
        latency?.percentiles?.filter(([each]) => Math.abs(each - share) < 1e-9).map(([, us]) => us) ?? []
      );
      return reported.length === 0 ? "–" : formatUs(median(reported));
    };
    const longest = windows.flatMap(({ latency }) => latency?.max_us ?? []);
    const failed = windows.reduce((sum, { load }) => sum + socketErrors(load!.errors) + (load!.errors.status ?? 0), 0);
    return [
      cellName(plan.axes, windows[0]!.members[0]!.cell),
      ...SHARES.map(at),
      longest.length === 0 ? "–" : formatUs(Math.max(...longest)),
      String(failed),
      `${windows.filter(({ load }) => load!.warnings !== undefined).length} of ${windows.length}`,
    ];
  });
  if (rows.length === 0) return "";
  const heads = ["", ...SHARES.map((share) => `${Math.round(100 * share)} %`), "longest", "failed", "doubted"];
  const table = tableLines({ heads, rows, isText: (column) => column === 0 }, { style, columns }, 0);
  const given = solos.flatMap(({ load }) => load!.warnings ?? []);
  const warnings = Map.groupBy(given, ({ text }) => text);
  const has = (code: string) => given.some((warning) => typeof warning === "object" && warning.code === code);
  const warned = [...warnings].map(([text, times]) =>
    `${style.yellow("ab says")} ${text} (${counted(times.length, "time")})`
  );
  return [
    "",
    style.bold(`As ab ${generator.version} tells it: served within a time, median of ${counted(plan.rounds, "round")}`),
    ...table,
    ...warned,
    ...(has("unreliable") ? [EXPLAINED] : []),
    ...(has("connections-closed") ? [HTTP_1_0] : []),
    "",
  ].join("\n");
}
