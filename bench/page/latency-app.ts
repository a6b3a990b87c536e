/** What a page about latency does in a browser: draws its charts and lets them be copied. */
import { latencyCharts, type LatencyData } from "./latency-charts.ts";
import { find, onResize, putFigures, readData, serveFigures, serveHead } from "./page-tools.ts";

async function start(): Promise<void> {
  const data = await readData<LatencyData>();
  const charts = data.cells.map((_, place) => latencyCharts(data, place));
  const width = () => find("cells").clientWidth;
  let drawnWidth = 0;
  const draw = () => {
    charts.forEach((own, place) => {
      const host = find(`charts-${place}`);
      drawnWidth = width();
      putFigures(host, own, host.clientWidth);
    });
  };
  serveFigures(() => charts.flat());
  serveHead();
  onResize(() => width() === drawnWidth, draw);
  draw();
  document.documentElement.dataset["ready"] = "yes";
}

start();
