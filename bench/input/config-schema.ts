import { z } from "zod";
import { parseCpuList } from "../basics/cpu-list.ts";
import { drawSchema } from "../record/own-spec.ts";
import { parseDurationMs } from "../basics/units.ts";
import { GENERATOR_NAMES } from "../generators/names.ts";
import type { Config, ConfigAmounts, ConfigPreset, ConfigRequest } from "./config.ts";

const whole = (least: number, most: number) =>
  z.int(`is no whole number from ${least} to ${most}`).min(least, `is less than ${least}`).max(
    most,
    `is more than ${most}`,
  );
const share = z.number("is no number from 0 to 1").min(0, "is less than 0").max(1, "is more than 1");
const positive = z.number("is no number").positive("is not above 0");
const text = z.string("is no text").min(1, "is empty");
const yes = z.boolean("is neither true nor false");
const word = (form: RegExp, what: string) => z.string("is no text").regex(form, what);
const seconds = z.string('is no duration such as "3s"').refine((value) => {
  const ms = parseDurationMs(value);
  return ms !== undefined && ms >= 1_000 && ms <= 600_000 && ms % 1_000 === 0;
}, 'is not whole seconds from "1s" to "10m"');
const cpus = z.string('is no list of CPUs such as "2-3,5"').refine(
  (value) => parseCpuList(value) !== undefined,
  'is no list of CPUs such as "2-3,5"',
);
const value = z.union([z.string(), z.number()], "is neither a text nor a number");
const oneOrMore = <T extends z.ZodType>(one: T, what: string) => z.union([one, z.array(one).min(1, "is empty")], what);
const named = (what: string) => z.union([text, z.record(z.string(), text)], `is neither ${what} nor several by name`);
const status = z.int().min(100).max(599);

const amounts = {
  rounds: whole(1, 1_000).optional(),
  duration: seconds.optional(),
  warmup: seconds.optional(),
  warmupLoads: whole(1, 6).optional(),
  threads: whole(1, 16).optional(),
  generator: z.enum(GENERATOR_NAMES, `is none of ${GENERATOR_NAMES.join(", ")}`).optional(),
  at: z.record(
    z.string(),
    oneOrMore(value, "is neither a text nor a number nor a list of them"),
    "is no object of axes with their values",
  ).optional(),
} satisfies Record<keyof ConfigAmounts, z.ZodType>;

/** See {@link ConfigPreset}. */
export const presetSchema = z.strictObject(
  { title: text.optional(), ...amounts, requests: whole(1, 1e9).optional() } satisfies Record<
    keyof ConfigPreset,
    z.ZodType
  >,
  "is no object",
);

/** See {@link ConfigRequest}. */
export const requestSchema = z.strictObject(
  {
    method: word(/^[A-Za-z]+$/, "is no method").optional(),
    path: z.string("is no text").startsWith("/", "does not begin with a slash"),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.unknown().optional(),
    weight: positive.optional(),
    expect: z.array(status).min(1, "is empty").optional(),
    draws: z.record(z.string(), drawSchema).optional(),
  } satisfies Record<keyof ConfigRequest, z.ZodType>,
);

const requestLine = word(/^\s*([A-Za-z]+\s+)?\/\S*\s*$/, 'is no request such as "GET /"');

/** A request as a line or an object: told apart first, so that a fault is said of what was meant. */
const request = z.unknown().superRefine((one, context) => {
  const parsed = (typeof one === "object" && one !== null ? requestSchema : requestLine).safeParse(one);
  for (const issue of parsed.error?.issues ?? []) context.addIssue({ ...issue, input: one } as never);
});

/** A config, once it has been loaded; suites are looked at when their commands are known. */
export const configSchema = z.strictObject(
  {
    ...amounts,
    app: named("a module").optional(),
    command: named("the words of a program").optional(),
    target: named("an address").optional(),
    pid: whole(1, 2 ** 22).optional(),
    port: whole(1, 65_535).optional(),
    ready: z.string("is no text").startsWith("/", 'is no path such as "/health"').optional(),
    request: z.union([z.array(request).min(1, "is empty"), request]).optional(),
    requests: oneOrMore(text, "is neither a file nor a list of files").optional(),
    header: z.record(z.string(), z.string("is no text"), "is no object of headers").optional(),
    env: oneOrMore(word(/^[A-Za-z_]\w*$/, "is no name of a variable"), "is no name of a variable, nor several")
      .optional(),
    expect: oneOrMore(status, "is no status such as 200, nor several").optional(),
    ignore: oneOrMore(
      word(/^(header|json):\S+$/, "is no part of a reply"),
      'is no part of a reply such as "header:etag", nor several',
    ).optional(),
    suites: z.array(
      z.union([text, z.looseObject({})], "is neither a suite nor a file with one"),
      "is no list of suites",
    ).optional(),
    presets: z.record(word(/^[a-z0-9][\w-]*$/i, "is no name"), presetSchema, "is no object of presets").optional(),
    modules: z.record(z.string(), z.record(z.string(), text), "is no object of axes").optional(),
    quick: yes.optional(),
    thorough: yes.optional(),
    preset: text.optional(),
    alone: yes.optional(),
    label: word(/^[a-z0-9][a-z0-9._-]{0,39}$/i, "is not letters, digits, dots and dashes").optional(),
    timeout: seconds.optional(),
    seed: whole(0, 2 ** 32 - 1).optional(),
    serverCpus: cpus.optional(),
    loadCpus: cpus.optional(),
    results: text.optional(),
    data: text.optional(),
    rate: oneOrMore(z.union([positive, text]), "is no number of requests a second, nor several").optional(),
    slo: text.optional(),
    failOn: word(/^\d+(\.\d+)?\s*%$/, 'is no share such as "5%"').optional(),
    requestsPerVisit: positive.optional(),
    visitsPerDay: positive.optional(),
    peakShare: share.optional(),
    headRoom: share.optional(),
    think: seconds.optional(),
  } satisfies Record<keyof Config, z.ZodType>,
  "is no config: give it an object",
);

/** Every key of a config. */
export const CONFIG_KEYS: readonly (keyof Config)[] = Object.keys(configSchema.shape) as (keyof Config)[];
