/**
 * Why a map of a million users is slower than one of ten thousand: `deno run -A examples/map-locality.ts .data/1000000-seed42/jsonl-1 1000000`
 * times look-up and serialisation without any server, at random ids and at the same few again. The difference is what
 * fetching scattered objects from memory costs.
 */
import { idMaker } from "../stores/dataset/user-at.ts";
import { driver } from "../stores/map.ts";

const [directory = "", sizeText = "1000000"] = process.argv.slice(2);
const size = Number(sizeText);
const store = await driver.open(directory);
const idOf = idMaker(42);

function nsPerLookup(span: number): number {
  const ids = Array.from({ length: 200_000 }, (_, n) => idOf(((n * 7_919) % span) % size));
  let bytes = 0;
  let best = Infinity;
  for (let round = 0; round < 5; round++) {
    const started = process.hrtime.bigint();
    for (const id of ids) bytes += JSON.stringify(store.find(id)).length;
    best = Math.min(best, Number(process.hrtime.bigint() - started) / ids.length);
  }
  if (bytes === 0) throw new Error("nothing was found");
  return best;
}

process.stdout.write(JSON.stringify({ size, allNs: nsPerLookup(size), fewNs: nsPerLookup(10_000) }) + "\n");
process.exit(0);
