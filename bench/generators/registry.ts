import { wrk } from "./wrk.ts";
import type { Generator } from "./generator.ts";

/** All load generators by name, the default first. */
export const GENERATORS: Readonly<Record<string, Generator>> = { wrk };
