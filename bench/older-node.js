/**
 * Features that the driver needs and Node 20 to 25 lack. Plain JavaScript, because it lets them
 * load TypeScript.
 */
import nodeModule from "node:module";

Map.groupBy ??= (items, keyOf) => {
  const groups = new Map();
  let n = 0;
  for (const item of items) {
    const key = keyOf(item, n++);
    if (groups.has(key)) groups.get(key).push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

Promise.withResolvers ??= function () {
  let resolve, reject;
  const promise = new this((yes, no) => [resolve, reject] = [yes, no]);
  return { promise, resolve, reject };
};

// A package is built: only a checkout's own modules need this.
if (!process.features.typescript && process.argv[1]?.endsWith(".ts")) {
  nodeModule.register("./older-node-hooks.js", import.meta.url);
}
