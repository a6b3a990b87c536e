/** What stands beside pages of audits: the number of their edition, their permanent address, their figures as JSON. */
import { basename } from "node:path";
import { type Html, markup } from "../bench/page/html.ts";
import { formatRatio } from "../bench/basics/units.ts";
import { type Audit, keptFolders } from "../lab/audits/audit.ts";
import { heldAgainst, readKept } from "../lab/audits/pages.ts";
import { linkFrom } from "./addresses.ts";
import { link } from "./frame.ts";

/** A claim of an audit, held against a kept run. */
export interface HeldClaim {
  readonly claim: string;
  /** What differs from the claim as published; null for the run that is most like it. */
  readonly changed: string | null;
  readonly published: readonly [least: number, most: number];
  readonly ratio: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** The ratio of requests per second, beside CPU time per request; null where there is none. */
  readonly requests_per_second_ratio: number | null;
  readonly cpu_kind: string;
  readonly answer: string;
  /** The folder of the run. */
  readonly run: string;
}

/** An audit with its held claims. */
export type AuditHeld = Audit & { readonly held: readonly HeldClaim[] };

/** Returns the claims of an audit with what each kept run says, in the order of its page. */
export const heldClaims = (audit: Audit): HeldClaim[] =>
  audit.runs.flatMap((run) =>
    readKept(run).flatMap((files, n) =>
      run.claims.map((claim) => {
        const { found, rates, verdict, published, ratio } = heldAgainst(claim, files);
        return {
          claim: claim.text,
          changed: run.changed,
          published,
          ratio,
          interval: ratio === null ? null : { low: found!.interval!.low, high: found!.interval!.high },
          requests_per_second_ratio: rates ?? null,
          cpu_kind: files.run.machine.cpu_kind ?? "unknown",
          answer: verdict,
          run: basename(keptFolders(run)[n]!),
        };
      })
    )
  );

/** The number of the edition that docs/audits has: earlier ones are kept as docs/audits/earlier/NAME/NUMBER.md. */
export const editionOf = (name: string, files: Iterable<string>): number =>
  1 + [...files].filter((path) => path.startsWith(`docs/audits/earlier/${name}/`) && path.endsWith(".md")).length;

/** The line above an audit: the address of its edition, and where the newest is if that is another one. */
export function editionLine(page: string, name: string, edition: number, isNewest: boolean): Html {
  const kept = `audits/${name}/${edition}/`;
  return markup`<p class="source">Edition ${edition}, which stays at ${
    link(linkFrom(page, kept), `/${kept.slice(0, -1)}`)
  }. ${isNewest ? null : markup`It was measured anew: ${link(linkFrom(page, `audits/${name}/`), "the newest")}. `}${
    link(linkFrom(page, `${kept}claims.json`), "Its figures as JSON", ' class="json"')
  }</p>`;
}

/** Rows of audits on the front page, whose table of places must be seen without scrolling. */
const MOST_SHOWN = 5;

/** Claims of the front page, one an audit: measured alike and told on several kinds of CPU; docs/audits/ethics.md says why. */
export function provenClaims(audits: readonly AuditHeld[]) {
  const proven = audits.flatMap(({ name, title, held }) => {
    const first = held.filter(({ changed, answer }) => changed === null && answer !== "not measured alike");
    return [...Map.groupBy(first, ({ claim }) => claim)]
      .filter(([, some]) => new Set(some.map(({ cpu_kind }) => cpu_kind)).size > 1)
      .filter(([, some]) => some.every(({ answer }) => answer !== "cannot be told"))
      .map(([claim, some]) => ({ name, title, claim, some })).slice(0, 1);
  });
  return proven.slice(0, MOST_SHOWN);
}

/** The ratios of a claim as its page has them: `3.10 ×`, and here on each kind of CPU. */
export const ratiosText = (some: readonly HeldClaim[]): readonly [published: string, here: string] => [
  `${formatRatio(some[0]!.published[0])} ×`,
  some.map(({ ratio }) => ratio === null ? "–" : `${formatRatio(ratio)} ×`).join(", "),
];
