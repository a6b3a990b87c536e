import { kept } from "../../result/board/board-run.ts";
import type { TalliedSuite } from "../../result/board/tally.ts";
import { formatRatio, fromTo } from "../../basics/units.ts";
import type { Html } from "../page/html.ts";
import type { Field } from "../page/table-html.ts";

/** What machines of a suite found, gathered over places: a row for each value that is faster than another somewhere. */
export function winnerRows(suite: Pick<TalliedSuite, "comparisons">, link: Html): Field[][] {
  const found = suite.comparisons.flatMap(({ comparison: { axis, over, under, seen, made } }) => {
    const ratios = (verdict: string) => seen.flatMap((one) => one?.verdict === verdict ? one.ratio! : []);
    const turned = ratios("slower").map((ratio) => 1 / ratio);
    return [{ axis, over, under, made, ratios: ratios("faster") }, {
      axis,
      over: under,
      under: over,
      made,
      ratios: turned,
    }];
  }).filter(({ ratios }) => ratios.length > 0);
  const pairs = Map.groupBy(found, ({ axis, over, under }) => JSON.stringify([axis, over, under]));
  return [...pairs.values()].map((places) => {
    const { axis, over, under } = places[0]!;
    const ratios = places.flatMap((place) => place.ratios);
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map(formatRatio);
    const machines = Math.max(...places.map((place) => place.ratios.length));
    const made = Math.max(...places.map((place) => place.made));
    const fields = [
      link,
      kept(`${over} over ${under} (${axis})`),
      `${fromTo(least!, most!)} ×`,
      String(places.length),
      `${machines} of ${made}`,
    ];
    return { fields, machines };
  }).toSorted((a, b) => b.machines - a.machines).map(({ fields }) => fields);
}
