/** Pages of kept runs, their index, and what references on several kinds of CPU say together. */
import { type Html, markup, trustedMarkup } from "../bench/page/html.ts";
import { acrossMarkdown } from "../bench/report/across-machines.ts";
import { acrossMachines } from "../bench/result/across-machines.ts";
import { journalName } from "../bench/runs/journal-file.ts";
import { makePage } from "../bench/page/make-page.ts";
import { pageData } from "../bench/page/shown-run.ts";
import { linkFrom } from "./addresses.ts";
import { jsonLink, link } from "./frame.ts";
import { type Links, makeHtml } from "./markdown.ts";
import type { KeptRun } from "./project.ts";

/** The files of a run that are given beside its page. */
export const runFilesIn = (folder: string): string[] => ["summary.json", "run.json", journalName(folder)];

/** The page of a run as `bench report` makes it, below a line that leads back. */
export function runPage({ name, folder, files, explanations }: KeptRun): string {
  const page = `runs/${name}/`, to = (address: string) => linkFrom(page, address);
  const above = markup`<p class="hint">${link(to(""), "Levelfield")} › ${
    link(to("runs/"), "Runs")
  } › ${name}. As JSON: ${runFilesIn(folder).map((file) => markup`${link(file, file)} `)}</p>`;
  return makePage(pageData([files]), explanations, above);
}

/** The index of runs: a line for each, with what was asked, where and when, and its answer. */
export function runIndex(runs: readonly KeptRun[]): Html {
  const rows = runs.map(({ name, files: { run, summary } }) =>
    markup`<tr><th scope="row">${link(linkFrom("runs/", `runs/${name}/`), name)} ${
      jsonLink(`${name}/summary.json`, name)
    }</th><td>${summary.answer.subject}<br><span class="of">${summary.answer.sentence}</span></td><td class="short">${
      run.machine.cpu_kind ?? "unknown"
    }</td><td class="short">${run.started_at.slice(0, 10)}</td></tr>`
  );
  return markup`<div class="scroll" role="group" aria-label="Runs" tabindex="0"><table><thead><tr><th scope="col">run</th><th scope="col">what it says</th><th scope="col">CPU</th><th scope="col">made</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** The comparison of runs of one suite on several kinds of CPU; those that have nothing in common are left out. */
export function machineSections(
  runs: readonly KeptRun[],
  links: Links,
): { readonly title: string; readonly html: Html }[] {
  const groups = Map.groupBy(
    runs,
    ({ name, files }) => name.startsWith("reference-") ? files.run.plan.suite.name : name.replace(/-on-.*/, ""),
  );
  return [...groups].flatMap(([title, some]) => {
    const across = acrossMachines(some.map(({ files }) => files));
    if ("cause" in across) return [];
    const names = some.map(({ name }) =>
      markup`${link(linkFrom("machines/", `runs/${name}/`), name)} ${
        jsonLink(linkFrom("machines/", `runs/${name}/summary.json`), name)
      } `
    );
    const { html } = makeHtml(acrossMarkdown(across), "machines.md", links);
    return [{ title, html: markup`${trustedMarkup(html)}<p class="source">From ${names}</p>` }];
  });
}
