import { environmentDifferences } from "../result/run-changes.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { acrossHosts } from "../../tests/fixtures/two-hosts.ts";
import { AA } from "../record/cell.ts";
import { linkSeen } from "../result/link-seen.ts";
import { cardPicture } from "../page/card-picture.ts";
import { toCsv } from "../exports/table.ts";
import { toMarkdown } from "../exports/markdown.ts";
import { hostTexts } from "./machine-text.ts";
import { badgeOf } from "./badge.ts";
import { isRanked, valueText } from "./metrics.ts";
import { FIGURES } from "./figures.ts";
import { cellDetail } from "../page/cell-detail.ts";
import { markupText } from "../page/html.ts";
import { makePage } from "../page/make-page.ts";
import { noiseSection } from "../page/sections.ts";
import { resultsText } from "./results-text.ts";
import { pageData } from "../page/shown-run.ts";
import { runRecords } from "./run-lines.ts";
import { styleFor } from "./style.ts";

const here = makeFixture({ sizes: [10_000], stores: ["map", "sqlite"], rounds: 6 });
const apart = acrossHosts(here);
const plain = styleFor(false, { NO_COLOR: "1" });
const filesHere = filesOf(here), files = filesOf(apart);

const onTerminal = ({ run, lines }: typeof here, { summary, cells }: typeof files) =>
  resultsText(run, summary, cells, lines, { style: plain, columns: Infinity });
const onPage = (run: typeof files) => makePage(pageData([run])).replaceAll("&quot;", '"').replaceAll("&#34;", '"');

const SERVER = '"ssh box1", AMD EPYC (amd-25-1), 2 CPUs';
const LOAD = "the driver's own host, Intel(R) Xeon(R) Processor (intel-6-207), 2 CPUs";
const LINK = "10.77.9.2 on lf-there at 10 Gbit/s, round trip 67.3µs, at most 1.4 % of it used, " +
  "at most 3.3 segments sent again in 1 000 requests";

test("a run's hosts are told with the commands given, machine and CPU of each, the address and the link as it was seen", () => {
  const { server, load, link } = hostTexts(apart.run, linkSeen(apart.lines))!;
  assert.deepEqual([server, load, link], [SERVER, LOAD, LINK]);
  const hosts = { ...apart.run.hosts!, load: "ssh box1", load_machine: undefined };
  const near = { ...hosts, link: { name: "lo", bits_per_second: null } };
  const one = hostTexts({ machine: apart.run.machine, hosts: near }, null)!;
  assert.deepEqual([one.load, one.link], ['"ssh box1", the same machine', "10.77.9.2 on lo, of unknown speed"]);
  const eth0 = { name: "eth0", bits_per_second: 1e9 };
  const service = { host: "ssh db", address: "10.0.0.3", link: eth0, machine: apart.run.machine };
  const beside = hostTexts({ machine: apart.run.machine, hosts: { ...near, service } }, null)!;
  const machine = SERVER.slice(SERVER.indexOf(", "));
  assert.equal(beside.server, `${SERVER}, with their services on "ssh db"${machine}, 10.0.0.3 on eth0 at 1 Gbit/s`);
});

test("terminal, Markdown, page and card tell where a run with hosts took place, and nothing of a run without", () => {
  const text = onTerminal(apart, files);
  const words = text.replaceAll(/\s+/g, " ");
  assert.ok(words.includes(`HOSTS servers on ${SERVER}; load from ${LOAD}; between them ${LINK}`), text);
  const markdown = toMarkdown(files);
  assert.match(
    markdown,
    /^Servers on "ssh box1", AMD EPYC .*; load from the driver's own host, Intel.*round trip 67\.3µs/m,
  );
  const page = onPage(files);
  for (const fact of [`"ssh box1"`, "Servers on", "Load from", "Between them", "round trip 67.3µs"]) {
    assert.ok(page.includes(fact), fact);
  }
  const card = cardPicture(files);
  assert.match(
    card,
    /servers on (?:"|&#34;|&quot;)ssh box1.*, AMD EPYC \(amd-25-1\), 2 CPUs, at 10\.77\.9\.2 on lf-there at 10 Gbit\/s</,
  );
  assert.match(
    card,
    /load from the driver(?:'|&#39;)s own host, Intel\(R\) Xeon\(R\) Processor \(intel-6-207\), 2 CPUs</,
  );
  assert.match(card, /grade shared · node 26\.10\.0, deno/);
  for (const reported of [onTerminal(here, filesHere), toMarkdown(filesHere), cardPicture(filesHere)]) {
    assert.doesNotMatch(reported, /box1|load from|between them|servers on/i);
  }
  const noise = (run: typeof files) => markupText(noiseSection(pageData([run]).runs[0]!));
  assert.ok(noise(files).includes("Between them") && !/Between them|Load from/.test(noise(filesHere)));
});

test("a cell whose limit was the network reads so, is a lower bound and is never ranked", () => {
  const limited = files.cells.filter(({ bound }) => bound === "network");
  assert.deepEqual(limited.map(({ name }) => name), ["bun/map/10k"]);
  const [card] = limited;
  assert.deepEqual(badgeOf(card!, []), { text: "network-bound", level: "warn" });
  assert.equal(isRanked(card!), false);
  assert.match(valueText(card!, FIGURES[0]!), /^≥ /);
  const [text, ranked] = [onTerminal(apart, files), filesHere.cells.filter(({ cell }) => cell.label !== AA)];
  assert.match(text, /^ {2}bun .* ≥ 1\.\d$/m);
  assert.match(
    text.replaceAll(/\s+/g, " "),
    /bun\/map\/10k: the network .* was the limit, so its rate is a lower bound/,
  );
  assert.match(toMarkdown(files), /≥ \S+ \[.*\] \(network-bound\)/);
  assert.equal(ranked.length, 6);
  const [shown] = pageData([files]).runs;
  const detail = markupText(cellDetail(shown!, card!));
  assert.match(detail, /link round trip<\/th><td>212µs/);
  assert.match(detail, /link sent again<\/th><td>0\.3 %/);
  assert.match(detail, /the network between the hosts was the limit: the server can do at least this much/);
});

test("exports and the list of runs name the hosts of a run that has them, and are as before for a run without", () => {
  const csv = toCsv(files).split("\r\n").map((row) => row.split(","));
  const at = csv[0]!.indexOf("server_host");
  assert.deepEqual(csv[0]!.slice(at, at + 3), ["server_host", "load_host", "server_address"]);
  // Verdicts are of several windows.
  const reported = csv.slice(1, -1).filter(([kind]) => kind !== "verdict").map((row) => row.slice(at, at + 3).join());
  assert.deepEqual([...new Set(reported)], ["ssh box1,,10.77.9.2"]);
  assert.doesNotMatch(toCsv(filesHere), /_host/);

  const [listed, plainly] = runRecords([files, filesHere].map(({ run, summary }) => ({ name: run.run, run, summary })));
  assert.deepEqual((listed as { hosts: unknown }).hosts, {
    server: "ssh box1",
    load: null,
    address: "10.77.9.2",
    load_cpu_kind: "intel-6-207",
  });
  assert.ok(!("hosts" in plainly!));
});

test("two runs that differ in their hosts say so when they are compared", () => {
  const reported = environmentDifferences(here, apart);
  // The rest depends on the machine that runs this.
  assert.deepEqual(reported.slice(0, 4), [
    'hosts: server: nothing -> "ssh box1"',
    "hosts: load: nothing -> null",
    'hosts: address: nothing -> "10.77.9.2"',
    'hosts: link: nothing -> {"name":"lf-there","bits_per_second":10000000000}',
  ]);
});
