import { join, relative, resolve } from "node:path";
import { makeBoard } from "../board/make-board.ts";
import { EXIT, type ExitCode } from "../basics/errors.ts";
import { formatBytes } from "../basics/units.ts";
import { visibleLine } from "../basics/visible.ts";
import { printable } from "../report/align.ts";
import { boardSentence } from "../report/board/board-pages.ts";
import { harmlessJson } from "../report/harmless.ts";
import { type Context, resultsDirectory } from "./context.ts";

/** Where a board goes unless another folder is named. */
const OUT = "board";

/** How often it is told at most how far it is. */
const TOLD = 20;

/** So many of what is not shown are told on stderr; the board has all of them. */
const MOST_TOLD = 20;

/** `bench board`: many runs, each recomputed, as a site and as data. Exit 3 where one of them is not shown. */
export async function boardCommand({ args, stdout, print, say, doing }: Context): Promise<ExitCode> {
  const paths = args.words.length === 0 ? [resultsDirectory(args)] : args.words;
  const out = resolve(args.get("out") ?? OUT);
  const { board, largest } = await makeBoard({
    paths,
    out,
    onRead: (read, of) => {
      if (read % Math.ceil(of / TOLD) === 0) doing(`${read} of ${of} read`);
    },
  });
  doing(null);
  const { refused } = board;
  for (const { found, fault } of refused.slice(0, MOST_TOLD)) say(visibleLine(`not shown: ${found}: ${fault}`));
  if (refused.length > MOST_TOLD) say(`not shown: ${refused.length - MOST_TOLD} more, which refused.html names`);
  const folder = relative(process.cwd(), out) || out;
  if (args.has("json")) {
    const { runs, copies, tallied } = board;
    stdout.write(
      harmlessJson({
        folder,
        runs,
        copies,
        machines: tallied.machines.length,
        suites: tallied.suites.length,
        refused,
        largest_page: largest.file,
        largest_page_bytes: largest.bytes,
      }) + "\n",
    );
  } else {
    print(`${printable(boardSentence(board))}\n`);
    print(`${join(folder, "index.html")} (largest page ${formatBytes(largest.bytes)})\n`);
  }
  return refused.length === 0 ? EXIT.done : EXIT.invalid;
}
