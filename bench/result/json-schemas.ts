import { z } from "zod";
import { boardIndex } from "../record/board-index.ts";
import { contrastRecord } from "../record/contrast-record.ts";
import { latencyCell, latencyRecord } from "../record/latency-record.ts";
import { cellCard } from "./cell-card.ts";
import { observationRecord } from "../record/observation-record.ts";
import { runRecord } from "../record/run-record.ts";
import { summarySchema } from "../record/summary.ts";

/** Observations of a record that is no run: each is what a line of a journal is, so it stands there alone. */
const lines = z.array(z.looseObject({})).describe("each as in journal.schema.json");

/** The JSON Schema (draft 2020-12) of every file of a run, of records beside runs and of a board, by file name under results/schema/. */
export function jsonSchemas(): Map<string, unknown> {
  const contrast = contrastRecord.extend({ observations: lines });
  const latency = latencyRecord.extend({ cells: z.array(latencyCell.extend({ observations: lines })) });
  const schemas = [
    ["run.schema.json", runRecord, "run.json of a Levelfield run"],
    ["journal.schema.json", observationRecord, "One line of journal.ndjson of a Levelfield run"],
    ["cell.schema.json", cellCard, "A file under cells/ of a Levelfield run"],
    ["summary.schema.json", summarySchema, "summary.json of a Levelfield run"],
    ["contrast.schema.json", contrast, "The record of bench contrast"],
    ["latency.schema.json", latency, "The record of bench latency"],
    ["board.schema.json", boardIndex, "board.json of a board that bench board makes"],
  ] as const;
  return new Map(schemas.map(([file, schema, title]) => [file, { title, ...z.toJSONSchema(schema) }]));
}
