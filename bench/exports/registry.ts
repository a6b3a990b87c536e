import type { RunFiles } from "../page/shown-run.ts";
import { toBencher } from "./bencher.ts";
import { toBenchstat } from "./benchstat.ts";
import { toCsv } from "./table.ts";
import { toGithubActionBenchmark } from "./github-action-benchmark.ts";
import { toJson } from "./json.ts";
import { toMarkdown } from "./markdown.ts";
import { toShields } from "./shields.ts";

/** A form of results that other tools read: the whole text, ending in a line break, a pure function of the result files. */
type Render = (files: RunFiles) => string;

/** Every export, by the name `--format` knows it under, with the extension of its golden file. */
export const EXPORTS: Readonly<Record<string, { readonly extension: string; readonly render: Render }>> = {
  "markdown": { extension: "md", render: toMarkdown },
  "csv": { extension: "csv", render: toCsv },
  "json": { extension: "json", render: toJson },
  "benchstat": { extension: "txt", render: toBenchstat },
  "bencher": { extension: "json", render: toBencher },
  "github-action-benchmark": { extension: "json", render: toGithubActionBenchmark },
  "shields": { extension: "json", render: toShields },
};
