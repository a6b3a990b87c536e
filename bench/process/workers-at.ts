import { readFileSync } from "node:fs";
import { z } from "zod";
import { orElse } from "../basics/errors.ts";
import { totalsAt } from "./counts-at.ts";
import { processesOf } from "../machine/left-behind.ts";
import { parseLastCpu } from "../machine/linux/proc-text.ts";
import { sizeOf } from "../machine/process-size.ts";

/** Where workers of a server are asked, and its process. */
export interface WorkersWish {
  /** Null where nobody can be asked: its processes are then taken for its workers. */
  readonly control: number | null;
  readonly pid: number;
  readonly mark?: string | undefined;
}

const toldSchema = z.array(z.strictObject({
  pid: z.int().positive(),
  tid: z.int().positive(),
  requests: z.int().nonnegative().nullable(),
}));

/** A worker as it tells itself: a thread of a process, and requests so far; null where it cannot count them. */
export type ToldWorker = z.infer<typeof toldSchema>[number];

/** The workers of a server, in the order of their numbers; none where they do not tell. */
export async function workersAt({ control, pid, mark }: WorkersWish): Promise<ToldWorker[]> {
  if (control === null) return processesOf(pid, mark).map((own) => ({ pid: own, tid: own, requests: null }));
  const told = toldSchema.safeParse(await totalsAt(control));
  return (told.data ?? []).sort((a, b) => a.tid - b.tid);
}

/** The CPU that workers ran on last, and resident bytes, null of one that is a thread. */
export function workersUse(workers: readonly Pick<ToldWorker, "pid" | "tid">[]) {
  const threads = new Set(workers.map(({ pid }) => pid)).size < workers.length;
  return workers.map(({ pid, tid }) => ({
    // One that has ended ran on none.
    cpu: orElse(() => parseLastCpu(readFileSync(`/proc/${pid}/task/${tid}/stat`, "utf8")), null) ?? null,
    bytes: threads ? null : sizeOf(pid)?.bytes ?? null,
  }));
}
