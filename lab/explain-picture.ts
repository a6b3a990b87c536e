/** Draws the bars of an explanation as a file: `node lab/explain-picture.ts EXPLANATION.json docs/pictures/layers.svg`. */
import { readFileSync, writeFileSync } from "node:fs";
import { parseBoundedJson } from "../bench/basics/bounded-json.ts";
import { markup } from "../bench/page/html.ts";
import { pictureFile } from "../bench/page/drawn.ts";
import { layerBars } from "../bench/page/why-drawings.ts";
import { explanationSchema } from "../bench/record/explanation-schema.ts";

const [from, to] = process.argv.slice(2) as [string, string];
const { cells, machine } = explanationSchema.parse(parseBoundedJson(readFileSync(from, "utf8")));
const label = `CPU time of a request by layer: ${cells.map(({ name }) => name).join(" and ")}, on ${machine.cpu_model}`;
const bars = layerBars(cells, "a request");
writeFileSync(to, pictureFile({ width: 1_100, height: 50 * cells.length, label, body: markup`${bars}` }, "both"));
