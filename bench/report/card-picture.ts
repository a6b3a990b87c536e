import { counted } from "../basics/units.ts";
import { fitted, printable } from "./align.ts";
import { settlingOf } from "./answer.ts";
import { cpuText } from "./cpu-text.ts";
import { forestPicture } from "./forest-picture.ts";
import { hostTexts } from "./hosts-text.ts";
import { looksOf, short } from "./look.ts";
import { type Html, markup, markupText } from "./page/html.ts";
import type { RunFiles } from "./shown-run.ts";
import { panelsOf, pictureStyle } from "./verdict-picture.ts";
import { isJudged } from "./verdict-rows.ts";
import { wrapped } from "./wrap.ts";

/** What sites that show links ask for. */
const WIDTH = 1200, HEIGHT = 630, EDGE = 48;
const ENLARGED = 1.3;

/** A run as a picture to be shared: what to take, the verdicts, the machine, its grade and the run's name, 1200 × 630. */
export function cardPicture({ run, summary }: Pick<RunFiles, "run" | "summary">): string {
  const { answer, stamps } = summary;
  const head = answer.none !== null
    ? ["No answer from this run"]
    : answer.questions.filter(({ mark }) => mark !== "open").map(({ title, pick, also, mark }) =>
      `${title}: ${pick === null ? "it depends" : [pick, ...also.map(({ value }) => value)].join(" or ")} (${mark})`
    ).slice(0, 2);
  const warning = stamps[0] === undefined ? "" : stamps[0].message;
  const settling = answer.none === null ? null : settlingOf(run, answer);
  const told = `${answer.sentence}${settling === null ? "" : ` To settle it: ${settling.text}`}`;
  const words = warning === "" ? told : `Contradicted by the run itself: ${warning}`;
  const all = wrapped(printable(words), 104);
  // Where there is no answer, what would give one has the room of the plots.
  const most = answer.none === null ? 2 : 4;
  const lines = all.length > most ? [...all.slice(0, most - 1), `${all[most - 1]} …`] : all;
  let y = 60;
  const text = (words: string, size: number, kind: string) => {
    const line = markup`<text class="${kind}" x="${EDGE}" y="${short(y)}">${
      fitted(words, Math.floor(1_900 / size))
    }</text>`;
    y += 1.3 * size;
    return line;
  };
  const top: Html[] = [text(`Levelfield · ${run.plan.suite.title}`, 20, "lead soft")];
  y += 20;
  top.push(...head.map((words) => text(words, 38, "big")), ...lines.map((words) => text(words, 18, "small")));
  const tools = run.runtimes.map(({ name, version }) => `${name} ${version}`).join(", ");
  const measured = `run ${run.run} · ${counted(run.plan.rounds, "round")} · grade ${run.grade.grade}`;
  const hosts = hostTexts(run, null);
  const last = hosts === null
    ? [`${cpuText(run.machine)} · ${counted(run.machine.cpus, "CPU")} · ${tools}`, measured]
    : [`servers on ${hosts.server}, at ${hosts.link}`, `load from ${hosts.load}`, `${measured} · ${tools}`];
  const placeOf = (n: number) => HEIGHT - 20 - 26 * (last.length - 1 - n);
  const bottom = last.map((words, n) => {
    const kind = n < last.length - 1 ? "small" : "small soft";
    return markup`<text class="${kind}" x="${EDGE}" y="${placeOf(n)}">${fitted(words, 106)}</text>\n`;
  });
  return markupText(
    markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${answer.sentence}">
${pictureStyle("light")}
<rect class="paper" width="${WIDTH}" height="${HEIGHT}"/><rect class="s3 decided" width="12" height="${HEIGHT}"/>
${top}
${plots({ run, summary }, y + 6, placeOf(0) - 38)}
${bottom}</svg>
`,
  );
}

/** Up to two questions side by side, as many rows as there is room for. */
function plots(files: Pick<RunFiles, "run" | "summary">, top: number, bottom: number): Html[] {
  const panels = panelsOf(files).filter(({ decided }, n) => n === 0 || decided > 0).slice(0, 2);
  const width = (WIDTH - 2 * EDGE - 36 * (panels.length - 1)) / panels.length / ENLARGED;
  return panels.map((panel, n) => {
    const looks = looksOf(panel.values);
    let rows = 16;
    let drawn = forestPicture(panel, { width, looks, mostRows: rows });
    while (rows > 2 && 24 + ENLARGED * drawn.height > bottom - top) {
      rows--;
      drawn = forestPicture(panel, { width, looks, mostRows: rows });
    }
    const x = EDGE + n * (ENLARGED * width + 36);
    return markup`<g transform="translate(${short(x)} ${short(top)})"><text class="sub" x="0" y="18">${
      fitted(
        `${panel.title}${isJudged(panel) ? ` against ${panel.baseline}` : ""}: ${panel.decided} of ${panel.of} decided`,
        Math.floor(ENLARGED * width / 10.5),
      )
    }</text><g transform="translate(0 26) scale(${ENLARGED})">${drawn.body}</g></g>`;
  });
}
