/** Steps of one unit of work: some 75 µs, on each runtime. */
const STEPS_OF_A_UNIT = 50_000;

/**
 * The module `(func (export "unit") (param $x i32) (param $n i32) (result i32) (loop …) (local.get $x))`, whose loop does
 * `x ^= x << 13; x ^= x >>> 17; x ^= x << 5` until `n` is 0.
 */
const MODULE = [
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00], // magic number and version
  ...[0x01, 0x07, 0x01, 0x60, 0x02, 0x7f, 0x7f, 0x01, 0x7f], // type 0: (i32, i32) -> i32
  ...[0x03, 0x02, 0x01, 0x00], // function 0 is of type 0
  ...[0x07, 0x08, 0x01, 0x04, 0x75, 0x6e, 0x69, 0x74, 0x00, 0x00], // export "unit", function 0
  ...[0x0a, 0x30, 0x01, 0x2e, 0x00], // one body of 46 bytes, no locals
  ...[0x03, 0x40], // loop
  ...[0x20, 0x00, 0x20, 0x00, 0x41, 0x0d, 0x74, 0x73, 0x21, 0x00], // x ^= x << 13
  ...[0x20, 0x00, 0x20, 0x00, 0x41, 0x11, 0x76, 0x73, 0x21, 0x00], // x ^= x >>> 17
  ...[0x20, 0x00, 0x20, 0x00, 0x41, 0x05, 0x74, 0x73, 0x21, 0x00], // x ^= x << 5
  ...[0x20, 0x01, 0x41, 0x01, 0x6b, 0x22, 0x01, 0x0d, 0x00], // again while --n is not 0
  ...[0x0b, 0x20, 0x00, 0x0b], // end of loop, x, end
];
/** Units run before the first request, so that the engine has compiled them as well as it ever will. */
const WARM_UP_UNITS = 1_000;

/** Requests before any work: engines compile a handler by how often it ran, and a server with much work answers few. */
const FREE_REQUESTS = 20_000;

/**
 * Work that makes a server slower by a known amount: the bench proves on it that it finds differences. What is added is
 * whole units, spread evenly over the requests, so twice the share is twice the cost. It is WebAssembly because a loop in
 * JavaScript costs what the engine has made of it so far: in a server with half a core, Deno's cost a fifth more until after
 * ten seconds of load.
 * @param share units of work a request: 0.05 runs one unit at every 20th request, 2 runs two at each
 * @returns to be called once a request
 */
export function ballast(share: number): () => void {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(MODULE)));
  const unit = exports.unit as (x: number, n: number) => number;
  let x = 1;
  for (let n = 0; n < WARM_UP_UNITS; n++) x = unit(x, STEPS_OF_A_UNIT);
  let free = FREE_REQUESTS;
  let owed = 0;
  return () => {
    if (free > 0) {
      free--;
      return;
    }
    for (owed += share; owed >= 1; owed--) x = unit(x, STEPS_OF_A_UNIT);
  };
}
