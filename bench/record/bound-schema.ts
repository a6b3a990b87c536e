import { z } from "zod";

/** What limited a load. */
export const boundSchema = z.enum(["server", "generator", "service", "network", "neither", "unknown"]);

/** See {@link boundSchema}. */
export type Bound = z.infer<typeof boundSchema>;
