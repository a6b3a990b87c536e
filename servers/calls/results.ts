import { createHash } from "node:crypto";
import type { Call, Calls } from "./open-calls.ts";
import { textOf, type Unseen } from "./text-of.ts";

/** Results of a call for its first inputs: a hash over all, and the beginning of the text for people. */
export interface Results {
  readonly sha256: string;
  readonly text: string;
}

/** Inputs whose results are looked at. */
export const CHECKED = 64;
/** Characters of {@link Results.text}. */
const SHOWN = 100;

/** Returns the results of a call for the first inputs, each as text; `unseen` is given what no text shows. */
export async function textsOf(call: Call, inputs: readonly unknown[], unseen?: Unseen): Promise<string[]> {
  const texts: string[] = [];
  for (const input of inputs.slice(0, CHECKED)) texts.push(textOf(await call(input), unseen));
  return texts;
}

/** Texts as they are compared. */
export const resultsOf = (texts: readonly string[]): Results => ({
  sha256: createHash("sha256").update(JSON.stringify(texts)).digest("hex"),
  text: texts.join(" ").slice(0, SHOWN),
});

/** How texts differ from what a module expects, in words; null where they do not, and where it expects nothing. */
export async function unexpected(
  { inputs = [undefined], expect }: Pick<Calls, "inputs" | "expect">,
  texts: readonly string[],
): Promise<string | null> {
  const expected = expect === undefined ? texts : await textsOf(expect, inputs);
  const place = texts.findIndex((text, n) => text !== expected[n]);
  return place < 0
    ? null
    : `input ${place} gives ${texts[place]!.slice(0, SHOWN)}, expected ${expected[place]!.slice(0, SHOWN)}`;
}
