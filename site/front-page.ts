/** The front page: three questions with their answers, and the table of places they come from. */
import { type Html, markup, trustedMarkup } from "../bench/page/html.ts";
import { answerBlock } from "../bench/report/answer-block.ts";
import { blockMarkdown } from "../bench/report/block-text.ts";
import { markdownFile } from "../bench/report/markdown.ts";
import { inWords } from "../bench/record/in-words.ts";
import { linkFrom } from "./addresses.ts";
import { type AuditHeld, provenClaims, ratiosText } from "./audit-pages.ts";
import { jsonLink, link } from "./frame.ts";
import { type Links, makeHtml } from "./markdown.ts";
import type { KeptRun } from "./project.ts";

const END = "<!-- results:end -->";

/** The run that README.md shows. */
export function readmeRun(readme: string, runs: readonly KeptRun[]): KeptRun {
  const block = readme.slice(readme.indexOf("<!-- results:begin -->"), readme.indexOf(END));
  const run = runs.find(({ files }) => block.includes(`Run \`${files.run.run}\``));
  if (run === undefined) throw new RangeError("README.md shows a run that is not kept in results/");
  return run;
}

/** Makes the front page: cards, table, then README's parts after its results. */
export function frontPage(
  readme: string,
  { runs, audits }: { readonly runs: readonly KeptRun[]; readonly audits: readonly AuditHeld[] },
  links: Links,
): Html {
  const shown = readmeRun(readme, runs), { run, summary } = shown.files;
  const to = (address: string) => linkFrom("", address);
  const block = answerBlock({ run, summary, columns: Infinity });
  const table = markdownFile(blockMarkdown(run.plan, { ...block, questions: [], next: [] }));
  const html = (text: string) => trustedMarkup(makeHtml(text, "README.md", links).html);
  const page = to(`runs/${shown.name}/`);
  const cards = block.questions.map(({ label, texts }) =>
    card(`Which ${label.toLowerCase()}?`, [
      ...texts.map((text, n) =>
        markup`<p${n === 0 ? trustedMarkup(' class="pick"') : null}>${inWords(run.plan, text)}</p>`
      ),
      markup`<p class="source">${link(page, "The run")} ${
        jsonLink(to(`runs/${shown.name}/summary.json`), shown.name)
      }</p>`,
    ])
  );
  return markup`<h1>Which runtime and which store serves your app fastest, and how sure is that?</h1>
<div class="cards">${cards}${auditCard(audits)}</div>
<h2 id="places">${summary.answer.subject}</h2>
${html(table)}
<p class="source">Deno, Bun and Node by turns on one core: “1.5” serves 1.5 times what Node serves with the same CPU time.
${link(page, `Run ${run.run}`)} ${jsonLink(to(`runs/${shown.name}/summary.json`), shown.name)} ${
    link(to("machines/"), "The same on other kinds of CPU")
  }</p>
${html(readme.slice(readme.indexOf(END) + END.length))}`;
}

const card = (title: string, content: readonly Html[]): Html =>
  markup`<section class="card"><h2>${title}</h2>${content}</section>`;

/** What audits say: claims that were measured alike on several kinds of CPU. */
function auditCard(audits: readonly AuditHeld[]): Html {
  const to = (address: string) => linkFrom("", address);
  const rows = provenClaims(audits).map(({ name, title, claim, some }) => {
    const [published, here] = ratiosText(some);
    return markup`<tr><th scope="row">${
      link(to(`audits/${name}/`), claim)
    } <span class="of">${title}</span></th><td>${published}</td><td>${here}</td></tr>`;
  });
  return card("What do audits say?", [
    markup`<table><caption class="quiet">Published ratios, and what was measured here on two kinds of CPU</caption><thead><tr><th scope="col">claim</th><th scope="col">published</th><th scope="col">here, by CPU</th></tr></thead><tbody>${rows}</tbody></table>`,
    markup`<p class="source">${
      link(to("audits/"), `All ${audits.filter(({ held }) => held.length > 0).length} audits`)
    } ${jsonLink(to("audits/claims.json"), "all audits")}</p>`,
  ]);
}
