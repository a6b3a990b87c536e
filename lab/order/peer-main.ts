/** Measures the examples as mitata or tinybench does, `peer-main.ts mitata`, and prints what they tell as JSON. */
import { measure } from "mitata";
import { Bench } from "tinybench";
import { calls, inputs } from "./examples.ts";
import type { Told } from "./orders.ts";

/** Each call is given the inputs in turn, as by our loop. */
const cases = Object.entries(calls).map(([name, call]): [string, () => unknown] => {
  let n = 0;
  return [name, () => call(inputs[n++ % inputs.length]!)];
});

async function byMitata(): Promise<Record<string, Told>> {
  const told: Record<string, Told> = {};
  for (const [name, call] of cases) {
    const { p25, p50, p75 } = await measure(call);
    told[name] = { low: p25, middle: p50, high: p75 };
  }
  return told;
}

async function byTinybench(): Promise<Record<string, Told>> {
  const bench = new Bench({ time: 500 });
  for (const [name, call] of cases) bench.add(name, call);
  const tasks = await bench.run();
  return Object.fromEntries(tasks.map(({ name, result }) => {
    if (!("latency" in result)) throw new Error(`tinybench tells nothing of "${name}"`);
    const { min, p50, p75 } = result.latency;
    return [name, { low: 1e6 * min, middle: 1e6 * p50, high: 1e6 * p75 }];
  }));
}

const told = process.argv[2] === "mitata" ? await byMitata() : await byTinybench();
process.stdout.write(JSON.stringify(told) + "\n");
