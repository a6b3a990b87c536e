/** What a page about latency does in a browser: draws its charts and lets them be copied. */
import { latencyCharts, type LatencyData } from "./latency-charts.ts";
import { figures } from "./chart-figure.ts";
import { find, onResize, readData, serveFigures, serveHead, serveTips } from "./page-tools.ts";
import { put } from "./put.ts";

async function start(): Promise<void> {
  const data = await readData<LatencyData>();
  const charts = data.cells.map((_, place) => latencyCharts(data, place));
  const width = () => find("cells").clientWidth;
  let drawnWidth = 0;
  const draw = () => {
    charts.forEach((own, place) => {
      const host = find(`charts-${place}`);
      drawnWidth = width();
      put(host, figures(own, host.clientWidth));
    });
  };
  serveFigures(() => charts.flat());
  serveHead();
  serveTips();
  onResize(() => width() === drawnWidth, draw);
  draw();
  document.documentElement.dataset["ready"] = "yes";
}

start();
