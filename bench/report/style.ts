import { styleText } from "node:util";

/** How text may look on one output. */
export type Style = Readonly<Record<"bold" | "dim" | "red" | "green" | "yellow", (text: string) => string>>;

/** Decides once whether an output gets colour: NO_COLOR says no, FORCE_COLOR yes, else whether it is a terminal. */
export function styleFor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Style {
  const forced = env["FORCE_COLOR"];
  const colour = (env["NO_COLOR"] ?? "") !== "" ? false : forced !== undefined ? forced !== "0" : isTerminal;
  const paint = (format: keyof Style) => (text: string) =>
    colour ? styleText(format, text, { validateStream: false }) : text;
  return { bold: paint("bold"), dim: paint("dim"), red: paint("red"), green: paint("green"), yellow: paint("yellow") };
}

/** How a run is told on a terminal. */
export interface TextWish {
  readonly style: Style;
  /** Columns there are; Infinity where nobody looks on a terminal. */
  readonly columns: number;
  /** Whether all is told: every cell, every verdict, what the run measured of itself. */
  readonly all?: boolean;
}
