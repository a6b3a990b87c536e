import type { RunFiles } from "../shown-run.ts";

/** A form of results that other tools read. */
export interface Exporter {
  readonly title: string;
  /** The whole text, ending in a line break; a pure function of the result files. */
  readonly render: (files: RunFiles) => string;
}

/** Every export, by the name `--format` knows it under. */
export const EXPORTS: Readonly<Record<string, Exporter>> = {};
