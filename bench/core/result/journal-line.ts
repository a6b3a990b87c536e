import { z } from "zod";
import { ceilingRecord } from "./ceiling-record.ts";
import { duetRecord } from "./duet-record.ts";
import { trialRecord } from "./trial-record.ts";

/** One line of trials.ndjson: everything a run measured, in the order it was measured. */
export const journalLine = z.discriminatedUnion("schema", [trialRecord, duetRecord, ceilingRecord]);

/** See {@link journalLine}. */
export type JournalLine = z.infer<typeof journalLine>;
