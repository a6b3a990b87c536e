import { checkEach, checkOne } from "./check-each.ts";
import { seeded } from "./seeded.ts";
import { expectReply, type Oracle, type Target, WrongAnswer } from "./suite.ts";

/** Numbers of pages lie below this. */
export const PAGE_NUMBERS = 1_000_000;
/** Numbers requested besides the first and the last. */
const DRAWN = 4;
/** Stands in the path where a number is expected. */
const HOSTILE = "<b>&'</b>";

/** A page that is made anew for each number in its path. */
interface NumberedPage {
  /** The path before the number: `/full`. */
  readonly path: string;
  readonly type: "text/html" | "application/json";
  /** How it is compared, as the check's name says it: `byte for byte`. */
  readonly how: string;
  /** Null, or where a reply differs from what it must be, in words. */
  difference(body: string, n: string): string | null | Promise<string | null>;
}

async function expectPage(target: Target, page: NumberedPage, n: string): Promise<void> {
  const path = `${page.path}/${encodeURIComponent(n)}`;
  const { headers, body } = await expectReply(target, { path }, { status: 200 });
  if (headers["content-type"]?.startsWith(page.type) !== true) {
    throw new WrongAnswer(`GET ${path}: sent as "${headers["content-type"] ?? "nothing"}", expected ${page.type}`);
  }
  const difference = await page.difference(body, n);
  if (difference !== null) throw new WrongAnswer(`GET ${path}: ${difference}`);
}

/** Returns the oracle of a page: drawn numbers and a hostile one are right, other paths do not exist. */
export function pageOracle(page: NumberedPage): Oracle {
  const alive = checkOne(
    "a page is answered",
    (target) => expectReply(target, { path: `${page.path}/0` }, { status: 200 }),
  );
  const right = (numbers: readonly number[]) =>
    checkEach(`pages are right, ${page.how}`, numbers, (target, n) => expectPage(target, page, String(n)));
  const drawn = (random: () => number) => Math.floor(random() * PAGE_NUMBERS);
  return {
    alive,
    sample: (seed) => right([drawn(seeded(seed))]),
    checks(seed) {
      const random = seeded(seed);
      return [
        alive,
        right([0, PAGE_NUMBERS - 1, ...Array.from({ length: DRAWN }, () => drawn(random))]),
        checkOne("what stands in the path is escaped", (target) => expectPage(target, page, HOSTILE)),
        checkEach(
          "other paths are answered with 404",
          ["/", page.path, `${page.path}/1/2`, "/other/1"],
          (target, path) => expectReply(target, { path }, { status: 404 }),
        ),
      ];
    },
  };
}

/** Where two texts differ first, with what follows there in each; null where they are the same. */
export function firstDifference(body: string, wanted: string): string | null {
  if (body === wanted) return null;
  let same = 0;
  while (same < wanted.length && body[same] === wanted[same]) same++;
  const part = (text: string) => JSON.stringify(text.slice(same, same + 60));
  return `differs from character ${same} on: ${part(body)}, expected ${part(wanted)}`;
}
