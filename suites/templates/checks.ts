import { seeded } from "../seeded.ts";
import { type Check, expectReply, type Target, WrongAnswer } from "../suite.ts";
import { EXPECTED, type PageName } from "./expected.ts";

/** Numbers of requests lie below this. */
export const NUMBERS = 1_000_000;
/** Numbers asked for besides the first and the last. */
const DRAWN = 4;
/** Stands in the path where a number is expected. */
const HOSTILE = "<b>&'</b>";

/** Asks for one page and compares it byte by byte. */
async function expectPage(target: Target, page: PageName, n: string): Promise<void> {
  const path = `/${page}/${encodeURIComponent(n)}`;
  const { headers, body } = await expectReply(target, { path }, { status: 200 });
  const type = page === "json" ? "application/json" : "text/html";
  if (headers["content-type"]?.startsWith(type) !== true) {
    throw new WrongAnswer(`GET ${path}: sent as "${headers["content-type"] ?? "nothing"}", expected ${type}`);
  }
  const wanted = EXPECTED[page](n);
  if (body === wanted) return;
  let same = 0;
  while (same < wanted.length && body[same] === wanted[same]) same++;
  const part = (text: string) => JSON.stringify(text.slice(same, same + 60));
  throw new WrongAnswer(`GET ${path}: differs from character ${same} on: ${part(body)}, expected ${part(wanted)}`);
}

/** One request: the server answers at all. */
export const alive = (page: PageName): Check => ({
  name: "a page is answered",
  async run(target) {
    await expectReply(target, { path: `/${page}/0` }, { status: 200 });
    return 1;
  },
});

function pagesAreRight(page: PageName, numbers: readonly number[]): Check {
  return {
    name: "pages are right, byte for byte",
    async run(target) {
      for (const n of numbers) await expectPage(target, page, String(n));
      return numbers.length;
    },
  };
}

const numberOf = (random: () => number) => Math.floor(random() * NUMBERS);

/** One more page. */
export const sample = (page: PageName, seed: number): Check => pagesAreRight(page, [numberOf(seeded(seed))]);

/** What every engine must do for a page. */
export function checks(page: PageName, seed: number): readonly Check[] {
  const random = seeded(seed);
  return [
    alive(page),
    pagesAreRight(page, [0, NUMBERS - 1, ...Array.from({ length: DRAWN }, () => numberOf(random))]),
    {
      name: "what stands in the path is escaped",
      async run(target) {
        await expectPage(target, page, HOSTILE);
        return 1;
      },
    },
    {
      name: "other paths are answered with 404",
      async run(target) {
        const paths = ["/", `/${page}`, `/${page}/1/2`, "/other/1"];
        for (const path of paths) await expectReply(target, { path }, { status: 404 });
        return paths.length;
      },
    },
  ];
}
