import { counted } from "../basics/units.ts";
import { mark } from "../record/mark.ts";
import type { Mark } from "../record/mark-schema.ts";
import { median } from "../statistics/median.ts";
import type { OkSolo } from "./judge-cell.ts";
import { THRESHOLDS } from "./thresholds.ts";

/** What is said of a server that in most of its observations left connections open at a service. Null where it did not. */
export function connectionsMark(ok: readonly Pick<OkSolo, "services" | "member">[]): Mark | null {
  const often = (all: readonly number[]) => 2 * all.length > ok.length;
  const grown = byName(ok.flatMap(({ services }) =>
    (services?.[0] ?? []).flatMap(({ name, connections }) => {
      const more = connections === undefined ? 0 : connections.after - connections.before;
      return more < THRESHOLDS.lateConnections ? [] : [{ name, n: more }];
    })
  ));
  const left = byName(
    ok.flatMap(({ member }) =>
      (member.server?.services ?? []).flatMap(({ name, left_open: n }) => n === undefined ? [] : [{ name, n }])
    ),
  );
  const texts = [
    ...grown.filter(([, all]) => often(all)).map(([name, all]) =>
      `a window left ${counted(median(all), "connection")} more open at "${name}"`
    ),
    ...left.filter(([, all]) => often(all)).map(([name, all]) =>
      `${counted(median(all), "connection")} stayed open at "${name}" after the server had ended`
    ),
  ];
  return texts.length === 0 ? null : mark("connections-left", texts.join("; "));
}

const byName = (found: readonly { readonly name: string; readonly n: number }[]) =>
  [...Map.groupBy(found, ({ name }) => name)].map(([name, own]) => [name, own.map(({ n }) => n)] as const);
