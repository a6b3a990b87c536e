import type { Parts } from "../record/card.ts";
import type { Solo } from "../judge/lines.ts";
import { median } from "../statistics/median.ts";
import { sum } from "../statistics/variation.ts";

/** Times from which one says the middle of them, and from which one says their 99th percentile. */
const LEAST_FOR_P50 = 10;
const LEAST_FOR_P99 = 100;

/** Returns a row for each kind of request, from sampled replies; none for a single kind with successful ones. */
export function routesOf(ok: readonly Solo[]): Pick<Parts, "routes"> {
  const rest = ok[0]?.member.at_rest ?? [];
  const rates = ok.map(({ load }) => load!.requests_per_second);
  const single = rest.length === 1 && rest[0]!.statuses.every((status) => status < 300);
  if (rest.length === 0 || single) return {};
  const sent = rest.map((_, n) => sum(ok.map(({ load }) => load!.sent_per_template[n] ?? 0)));
  const all = sum(sent);
  return {
    routes: rest.map(({ route }, n) => {
      const known = ok.flatMap(({ member }) => member.at_rest?.[n] ?? []);
      const sizes = known.flatMap(({ bytes }) => bytes ?? []);
      const times = ok.flatMap(({ beside }) => beside?.[0]?.took_us[n] ?? []).sort((a, b) => a - b);
      const at = (share: number, least: number) =>
        times.length < least ? null : times[Math.min(times.length - 1, Math.ceil(share * times.length) - 1)]!;
      const share = rest.length === 1 ? 1 : all === 0 ? null : sent[n]! / all;
      return {
        route,
        statuses: [...new Set(known.flatMap(({ statuses }) => statuses))].sort((a, b) => a - b),
        share,
        requests_per_second: share === null ? null : share * median(rates),
        reply_bytes: sizes.length === 0 ? null : [Math.min(...sizes), Math.max(...sizes)],
        sampled: times.length,
        p50_us: at(0.5, LEAST_FOR_P50),
        p99_us: at(0.99, LEAST_FOR_P99),
      };
    }),
  };
}
