/** Two runs in one picture: a line from what each cell did in the first to what it did in the second. */
import type { RunComparison } from "../../result/compare-runs.ts";
import { formatRate, formatRatio } from "../../basics/units.ts";
import { fitted } from "../align.ts";
import { short } from "../look.ts";
import { exact } from "./chart-look.ts";
import { type Html, markup } from "./html.ts";

const ROW = 20, LETTER = 7.1, MOST = 60;

/** Rates of A (hollow) and B (filled) on a logarithmic axis, what changed most first; nothing without a cell in common. */
export function dumbbellPicture(cells: RunComparison["cells"], width: number): Html | null {
  const known = cells.filter(({ a, b }) => (a ?? 0) > 0 && (b ?? 0) > 0)
    .map(({ cell, a, b, ratio, verdict }) => ({
      cell,
      a: a!,
      b: b!,
      verdict,
      change: ratio === null ? b! / a! : 1 / ratio,
    }))
    .toSorted((x, y) => Math.abs(Math.log(y.change)) - Math.abs(Math.log(x.change)));
  if (known.length === 0) return null;
  const rows = known.slice(0, MOST);
  const left = Math.min(Math.floor(width * 0.38), 14 + LETTER * Math.max(...rows.map(({ cell }) => cell.length)));
  const right = width - 64;
  const rates = rows.flatMap(({ a, b }) => [a, b]);
  const [low, high] = [Math.min(...rates) / 1.15, Math.max(...rates) * 1.15];
  const x = (rate: number) => left + (right - left) * Math.log(rate / low) / Math.log(high / low);
  const decades = [1, 2, 5].flatMap((digit) => Array.from({ length: 12 }, (_, n) => digit * 10 ** (n - 2)))
    .toSorted((a, b) => a - b).filter((rate) => rate > low && rate < high);
  const ticks: number[] = [];
  for (const tick of decades) if (ticks.length === 0 || x(tick) - x(ticks.at(-1)!) >= 56) ticks.push(tick);
  const bottom = 6 + ROW * rows.length;
  const drawn = rows.map(({ cell, a, b, change, verdict }, n) => {
    const y = 6 + ROW * (n + 0.5);
    const decided = verdict.verdict === "faster";
    const kind = decided ? (verdict.winner === "b" ? "better" : "worse") : "undecided";
    return markup`<g class="row ${kind}"><title>${cell}: ${formatRate(a)} to ${formatRate(b)} req/s, ${
      formatRatio(change)
    } ×</title><path class="range" d="M${short(x(a))} ${short(y)}H${short(x(b))}" /><circle class="hollow" cx="${
      short(x(a))
    }" cy="${short(y)}" r="4" /><circle class="full" cx="${short(x(b))}" cy="${short(y)}" r="4.5" /><text x="0" y="${
      short(y + 4)
    }">${fitted(cell, Math.floor((left - 10) / LETTER))}</text><text x="${short(width - 56)}" y="${short(y + 4)}">${
      formatRatio(change)
    } ×</text></g>`;
  });
  const grid = ticks.map((tick) =>
    markup`<path class="grid" d="M${short(x(tick))} 0V${short(bottom)}" /><text class="tick" x="${short(x(tick))}" y="${
      short(bottom + 15)
    }" text-anchor="middle">${exact(formatRate)(tick)}</text>`
  );
  const rest = known.length > MOST ? `; ${known.length - MOST} that changed least are left out` : "";
  const height = bottom + 42;
  return markup`<svg viewBox="0 0 ${Math.round(width)} ${Math.round(height)}" width="${Math.round(width)}" height="${
    Math.round(
      height,
    )
  }" role="img" aria-label="Requests per second in both runs"><g class="dumbbell">${grid}${drawn}<text class="under" x="0" y="${
    short(bottom + 36)
  }">${
    fitted(
      `req/s; hollow: A, filled: B${rest}`,
      Math.floor(width / LETTER),
    )
  }</text></g></svg>`;
}
