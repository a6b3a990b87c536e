/** What a page about latency does in a browser: draws its charts and lets them be copied. */
import { latencyCharts, type LatencyData } from "./latency-charts.ts";
import { asPicture, find, readData, serveFigures, serveHead } from "./page-tools.ts";

async function start(): Promise<void> {
  const data = await readData<LatencyData>();
  const charts = data.cells.flatMap((_, place) => latencyCharts(data, place));
  const width = () => find("charts-0").clientWidth;
  let drawnWidth = 0;

  function draw(): void {
    drawnWidth = width();
    const half = drawnWidth >= 980 ? Math.floor((drawnWidth - 32) / 2) : drawnWidth;
    for (const { id, wide, draw } of charts) {
      const drawing = draw(Math.max(280, wide ? drawnWidth : half));
      const room = document.querySelector(`#chart-${id} .drawing`)!;
      if (drawing !== null) asPicture(drawing);
      room.replaceChildren(drawing ?? "No point has a figure that counts.");
    }
  }

  serveFigures(() => charts);
  serveHead();
  let waiting = 0;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (width() !== drawnWidth) draw();
    }, 150) as unknown as number;
  });
  if (data.cells.length > 0) draw();
  document.documentElement.dataset["ready"] = "yes";
}

start();
