/** A board as data: one small index, and a line of JSON for everything of which there are many. */
import type { BoardIndex } from "../../record/board-index.ts";
import { type Board, type BoardFile, machineFile, suiteFile } from "./board-pages.ts";

/** The index and the lists of a board. Lists are lines of JSON, so that no reader needs all of one at once. */
export function* boardData(board: Board): Generator<BoardFile> {
  const { tallied: { machines, suites }, runs, refused, copies } = board;
  const nameAt = (place: number) => machines[place]!.name;
  const index: BoardIndex = {
    schema: "levelfield.board/2",
    runs,
    refused: refused.length,
    copies,
    machines: machines.map((machine) => ({
      name: machine.name,
      cpu_kind: machine.kind,
      cpu_model: machine.model,
      ...(machine.load === undefined ? {} : { load: machine.load }),
      runs: machine.runs.length,
      page: `${machineFile(machine)}.html`,
    })),
    suites: suites.map((suite) => ({
      name: suite.suite.name,
      title: suite.suite.title,
      runs: suite.runs,
      machines: suite.machines,
      comparisons: suite.comparisons.length,
      on_several_kinds: suite.comparisons.filter(({ kinds }) => kinds > 1).length,
      sentence: suite.sentence,
      page: `${suiteFile(suite)}.html`,
      data: `${suiteFile(suite)}.ndjson`,
    })),
    data: { runs: "runs.ndjson", refused: "refused.ndjson" },
  };
  yield { file: "board.json", text: JSON.stringify(index, null, 1) + "\n" };
  for (const suite of suites) {
    yield {
      file: `${suiteFile(suite)}.ndjson`,
      text: jsonLines(suite.comparisons.map(({ comparison, machines: places, kinds, runs }) => ({
        ...comparison,
        seen: comparison.seen.map((seen, n) => ({ machine: nameAt(places[n]!), ...seen })),
        kinds,
        runs,
      }))),
    };
  }
  yield {
    file: "runs.ndjson",
    text: jsonLines(machines.flatMap((machine) => machine.runs.map((run) => ({ ...run, page: `run/${run.id}.html` })))),
  };
  yield { file: "refused.ndjson", text: jsonLines(refused) };
}

const jsonLines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
