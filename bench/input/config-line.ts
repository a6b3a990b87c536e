import { CONFIG_KEYS } from "./config-schema.ts";
import { OWN_KEYS } from "./config-words.ts";
import type { Args } from "./read-args.ts";
import type { ReadConfig } from "./read-config.ts";
import { optionName } from "../core/axis-options.ts";
import type { LoadedSuite } from "../host/load-suite.ts";

/**
 * What of a measurement a config says: `from levelfield.config.ts: app, rounds`. Undefined where it says nothing of it.
 * @param overruled keys that a profile, a preset or a flag says otherwise
 */
export function configLine(
  { args, config }: { readonly args: Args; readonly config: ReadConfig | null },
  { suite, own, named, module }: LoadedSuite,
  overruled: readonly string[] = [],
): string | undefined {
  if (config === null) return undefined;
  const said = config.config;
  const options = CONFIG_KEYS.filter((key) => args.fromConfig.has(optionName(key)));
  const axes = suite.axes.filter(({ name }) => args.fromConfig.has(optionName(name)) && said.at !== undefined);
  const keys = [
    // By hand a part of them may be said otherwise, which no line could tell apart.
    ...(own !== undefined && named
      ? OWN_KEYS.filter((key) => said[key] !== undefined && !args.has(optionName(key) as "app"))
      : []),
    ...(module !== null && named ? ["suites"] : []),
    ...[...options, ...axes.map(({ name }) => name)].filter((key) => !overruled.includes(amountOf(key))),
  ];
  return keys.length === 0 ? undefined : `from ${config.file}: ${[...new Set(keys)].join(", ")}`;
}

/** The name an amount has once it is settled. */
const amountOf = (key: string) => key === "duration" || key === "warmup" ? `${key}Ms` : key;
