import { connect } from "./connect.ts";
import type { GENERATOR_NAMES, MEASURES } from "../record/ranges.ts";
import type { Generator } from "./generator.ts";
import { h2load } from "./h2load.ts";
import { inProcess } from "./in-process.ts";
import { ontime } from "./ontime.ts";
import { websocket } from "./websocket.ts";
import { wrk } from "./wrk.ts";

const load: Readonly<Record<(typeof GENERATOR_NAMES)[number], Generator>> = { wrk, ontime, h2load };
const all: Readonly<Record<(typeof MEASURES)[number], Generator>> = {
  ...load,
  ...{ connect, websocket, "in-process": inProcess },
};

/** All load generators by name, the default first. */
export const GENERATORS: Readonly<Record<string, Generator>> = load;

/**
 * Everything that measures, by name: load generators, those for new connections and for messages, and the one that has
 * functions called.
 */
export const MEASURING: typeof GENERATORS = all;
