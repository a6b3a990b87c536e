import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseBoundedJson } from "../basics/bounded-json.ts";
import { failure } from "../basics/errors.ts";
import { shellQuoted } from "../basics/shell.ts";
import { counted } from "../basics/units.ts";
import { nextStep } from "../why/bisect.ts";
import { type Bisection, bisectionSchema } from "../record/bisection.ts";
import { lookAt, readPlainFile, writePlainFile, writing } from "../files/plain-file.ts";

interface KeptBisection {
  readonly file: string;
  readonly state: Bisection;
  /** Writes the state whole, in place of whatever has the file's name. Throws a failure in one line. */
  save(): void;
}

/**
 * Opens the bisection of a question in a folder of runs; one without steps if there is none yet. The file is named after
 * the question and the versions, so any other question begins anew.
 *
 * @param question everything except the versions that decides what a step measures
 * @param names the versions, the good end first
 * @throws BenchError for a file that is not plain, is damaged, or holds the steps of another question
 */
export function keptBisection(results: string, question: string, names: readonly string[]): KeptBisection {
  const digest = createHash("sha256").update(JSON.stringify([question, names])).digest("hex");
  const file = join(results, `bisect-${digest.slice(0, 12)}.json`);
  const fresh: Bisection = {
    ...{ schema: "levelfield.bisection/1", question: digest, versions: [...names], left_out: [], steps: [] },
  };
  const state = lookAt(file) === undefined ? fresh : stateIn(file, fresh);
  const save = () =>
    writing(file, "choose another folder with --results", () => {
      mkdirSync(results, { recursive: true });
      writePlainFile(file, `${JSON.stringify(state, null, 2)}\n`);
    });
  return { file, state, save };
}

function stateIn(file: string, wanted: Bisection): Bisection {
  const refused = (message: string, cause?: unknown) =>
    failure(message, `remove it to begin anew: rm -r ${shellQuoted(file)}`, cause);
  let text: string;
  try {
    text = readPlainFile(file).toString("utf8");
  } catch (error) {
    throw refused((error as Error).message, error);
  }
  let state: Bisection;
  try {
    state = bisectionSchema.parse(parseBoundedJson(text));
  } catch (error) {
    throw refused(`"${file}" is damaged`, error);
  }
  const misfit = misfitOf(state, wanted);
  if (misfit !== null) throw refused(`"${file}" does not answer this question: ${misfit}`);
  return state;
}

/** Why a stored bisection does not match the requested one, in words; null if it does. */
function misfitOf(state: Bisection, { question, versions }: Bisection): string | null {
  const { versions: found } = state;
  if (found.length !== versions.length || found.some((name, n) => name !== versions[n])) {
    return `it has ${counted(found.length, "version")} from ${found[0]} to ${found.at(-1)}`;
  }
  if (state.question !== question) return "it is of another app, another suite, or another plan";
  const inner = [...state.left_out.map(({ version }) => version), ...state.steps.map(({ middle }) => middle)];
  const beyond = inner.find((place) => place !== null && (place < 1 || place > versions.length - 2));
  if (beyond !== undefined) return `it has version ${beyond} between ends 0 and ${versions.length - 1}`;
  try {
    nextStep(state);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
