import { styleText } from "node:util";

/** Functions that style text for one output. */
export type Style = Readonly<Record<"bold" | "dim" | "red" | "green" | "yellow", (text: string) => string>>;

/** Decides once whether an output gets colour: NO_COLOR says no, FORCE_COLOR yes, else whether it is a terminal. */
export function styleFor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Style {
  const forced = env["FORCE_COLOR"];
  const colour = (env["NO_COLOR"] ?? "") !== "" ? false : forced !== undefined ? forced !== "0" : isTerminal;
  const paint = (format: keyof Style) => (text: string) =>
    colour ? styleText(format, text, { validateStream: false }) : text;
  return { bold: paint("bold"), dim: paint("dim"), red: paint("red"), green: paint("green"), yellow: paint("yellow") };
}

/** Options of a text for a terminal. */
export interface TextOptions {
  readonly style: Style;
  /** Columns of the terminal; Infinity without one. */
  readonly columns: number;
  /** True for every cell, every verdict and the run's measurements of itself. */
  readonly all?: boolean;
  /** The run and its folder of runs as the user gave them, for commands that continue it. */
  readonly given?: { readonly run?: string | undefined; readonly results?: string | undefined };
}
