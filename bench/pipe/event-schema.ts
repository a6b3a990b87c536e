import { z } from "zod";
import type { FilesEvent } from "../../suites/suite.ts";
import { MOST_STDOUT_CHARS } from "../machine/child.ts";
import { longText } from "../record/bounds.ts";
import type { HostEnding, HostProcess } from "./host.ts";
import { objectOf } from "./object-of.ts";

/** An event of something that was started by the request of that id. */
export type ChildEvent =
  & { readonly of: number }
  & (
    | { readonly line: string }
    | { readonly built: FilesEvent }
    | { readonly ended: Awaited<HostProcess["ended"]>; readonly stdout: string; readonly stderr: string }
  );

/** A child keeps twice as much of its output at most, in characters. */
const output = z.string().max(2 * MOST_STDOUT_CHARS);

/** The name of a file in the folder of a program. */
const fileName = longText.regex(/^[^/\0]+$/, "is no name of a file").refine(
  (name) => !/^\.\.?$/.test(name),
  "is a folder",
);

/** A line that a builder of files prints. */
export const filesEvent: z.ZodType<FilesEvent> = z.union([
  z.strictObject({ event: z.literal("progress"), text: longText }),
  z.strictObject({
    event: z.literal("ready"),
    request: z.int().nonnegative(),
    directory: longText.regex(/^\/[^\0\r\n]*$/, "is no path"),
    title: longText,
    sha256: longText,
    diskBytes: z.number().nonnegative(),
    built: longText.nullable(),
    buildMs: z.number(),
  }),
  z.strictObject({ event: z.literal("failed"), message: longText }),
]);

const ending = objectOf<HostEnding>({
  code: z.int().nullable(),
  signal: longText.nullable(),
  leftBehind: z.literal(true).exactOptional(),
  endedUs: z.number(),
  files: z.record(fileName, z.string()).exactOptional(),
});

const of = z.int().positive();

/** An event of something that an agent has started. */
export const childEvent: z.ZodType<ChildEvent> = z.union([
  z.strictObject({ of, line: output }),
  z.strictObject({ of, built: filesEvent }),
  z.strictObject({
    of,
    ended: z.union([ending, z.strictObject({ failed: longText })]),
    stdout: output,
    stderr: longText,
  }),
]);
