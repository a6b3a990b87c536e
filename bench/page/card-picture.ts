import { counted } from "../basics/units.ts";
import { roundsText } from "../plan/plan-rounds.ts";
import { cutToWidth, printable } from "../report/align.ts";
import { answerBlock, type BlockLine } from "../report/answer-block.ts";
import { BLOCK_COLUMNS } from "../report/block-text.ts";
import { cpuText, hostTexts } from "../report/machine-text.ts";
import { takenTexts } from "../report/question-texts.ts";
import { pictureFile, scaledChart } from "./drawn.ts";
import { forest } from "./forest.ts";
import { type Html, markup } from "./html.ts";
import type { RunFiles } from "./shown-run.ts";
import { panelsOf } from "./readme-results.ts";
import { isPanelJudged } from "../report/verdict-rows.ts";
import { wrapped } from "../report/wrap.ts";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { failure } from "../basics/errors.ts";

/** The size of link previews, and a margin, in pixels. */
const WIDTH = 1200, HEIGHT = 630, EDGE = 48;
const ENLARGED = 1.3;

/** A run as a picture to be shared: what to take, the verdicts, the machine, its grade and the run's name, 1200 × 630. */
export function cardPicture({ run, summary }: Pick<RunFiles, "run" | "summary">): string {
  const { answer, marks } = summary;
  const block = answerBlock({ run, summary, columns: BLOCK_COLUMNS });
  const headed = ({ label, texts }: BlockLine) => `${label}: ${texts[0]}`;
  const head = answer.none !== null ? [block.head.label] : takenTexts(answer).slice(0, 2);
  const [warning] = marks;
  const texts = answer.none === null
    ? [...block.questions, block.head].map(headed)
    : [`${block.head.texts[0]}. Next: ${block.next[0]!.what}`];
  const lines = wrapped(
    printable(warning === undefined ? texts.join(" ") : `Contradicted by the run itself: ${warning.text}`),
    104,
  );
  let y = 60;
  const text = (words: string, size: number, kind: Kind) => {
    const line = lineOf(cutToWidth(words, Math.floor(1_900 / size)), y, size, kind);
    y += 1.3 * size;
    return line;
  };
  const top: Html[] = [text(`${answer.subject} · Levelfield`, 22, "bold")];
  y += 10;
  top.push(...head.map((words) => text(words, 32, "bold")), ...lines.map((words) => text(words, 18, "plain")));
  const tools = run.runtimes.map(({ name, version }) => `${name} ${version}`).join(", ");
  const conditions = answer.conditions === "" ? "" : ` · ${answer.conditions}`;
  const measured = `run ${run.run} · ${roundsText(run.plan)} · grade ${run.grade.grade}`;
  const hosts = hostTexts(run, null);
  const last = hosts === null
    ? [`${cpuText(run.machine)} · ${counted(run.machine.cpus, "CPU")} · ${tools}`, `${measured}${conditions}`]
    : [
      `servers on ${hosts.server}, at ${hosts.link}`,
      `load from ${hosts.load}`,
      `${measured} · ${tools}${conditions}`,
    ];
  const placeOf = (n: number) => HEIGHT - 20 - 26 * (last.length - 1 - n);
  const bottom = last.map((words, n) =>
    lineOf(cutToWidth(words, 106), placeOf(n), 18, n < last.length - 1 ? "plain" : "soft")
  );
  const paper = markup`<rect width="${WIDTH}" height="${HEIGHT}" fill="var(--panel)"/>`;
  const edge = markup`<rect width="12" height="${HEIGHT}" fill="var(--s3)"/>`;
  const body = markup`${paper}${edge}${top}${plots({ run, summary }, y + 6, placeOf(0) - 38)}${bottom}`;
  return pictureFile({ width: WIDTH, height: HEIGHT, label: `${answer.subject}. ${answer.sentence}`, body }, "light");
}

type Kind = "plain" | "soft" | "bold";

function lineOf(words: string, y: number, size: number, kind: Kind): Html {
  const [weight, fill] = [kind === "bold" ? 700 : 400, kind === "soft" ? "soft" : "ink"];
  return markup`<text x="${EDGE}" y="${
    Math.round(y)
  }" font-size="${size}" font-weight="${weight}" fill="var(--${fill})">${words}</text>`;
}

/** Up to two questions next to each other, and as many rows as there is room for. */
function plots(files: Pick<RunFiles, "run" | "summary">, top: number, bottom: number): Html[] {
  const panels = panelsOf(files).filter(({ decided }, n) => n === 0 || decided > 0).slice(0, 2);
  const width = (WIDTH - 2 * EDGE - 36 * (panels.length - 1)) / panels.length / ENLARGED;
  return panels.map((panel, n) => {
    const title = `${panel.title}${isPanelJudged(panel) ? ` against ${panel.baseline}` : ""}`;
    const reported = cutToWidth(
      `${title}: ${panel.decided} of ${panel.of} decided`,
      Math.floor(ENLARGED * width / 10.5),
    );
    let mostRows = 17, drawing: SVGSVGElement;
    do drawing = forest(panel, { width, label: reported, mostRows: --mostRows }); while (
      mostRows > 2 && 24 + ENLARGED * Number(drawing.getAttribute("height")) > bottom - top
    );
    const x = Math.round(EDGE + n * (ENLARGED * width + 36));
    return markup`<text x="${x}" y="${Math.round(top) + 18}" font-size="17" font-weight="600">${reported}</text>${
      scaledChart(drawing, x, Math.round(top) + 26, ENLARGED)
    }`;
  });
}

/** An SVG file as PNG, the same bytes on every machine. Throws a BenchError if packages that draw are missing. */
export async function pngOf(svg: string): Promise<Uint8Array> {
  const require = createRequire(import.meta.url);
  const { initWasm, Resvg } = await import("@resvg/resvg-wasm").catch((error) => {
    throw failure(
      "what draws PNG is not installed",
      "npm install levelfield @resvg/resvg-wasm dejavu-fonts-ttf, or take the SVG",
      error,
    );
  });
  started ??= initWasm(readFileSync(require.resolve("@resvg/resvg-wasm/index_bg.wasm")));
  await started;
  const font = (name: string) => readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));
  const drawing = new Resvg(svg, {
    font: { fontBuffers: [font("DejaVuSans"), font("DejaVuSans-Bold")], defaultFontFamily: "DejaVu Sans" },
  });
  return drawing.render().asPng();
}

let started: Promise<void> | undefined;
