import assert from "node:assert/strict";
import { test } from "node:test";
import { BenchError } from "../basics/errors.ts";
import { inspectScheduler } from "./inspect-generator.ts";

const found = (name: string) =>
  ({
    findProgram: ({ program }: { program: string }) =>
      Promise.resolve(
        program === name
          ? {
            program: `/bin/${name}`,
            lead: [],
            sha256: "",
            output: name === "oha" ? "oha 1.16.0" : "h2load nghttp2/1.52.0",
          }
          : null,
      ),
  }) as unknown as Parameters<typeof inspectScheduler>[1];

const refused = async (wished: string | undefined, there: string) => {
  try {
    await inspectScheduler(wished, found(there));
  } catch (error) {
    assert.ok(error instanceof BenchError);
    return `${error.message}; ${error.hint}`;
  }
  return null;
};

test("h2load keeps schedules where it is there, else oha", async () => {
  assert.equal((await inspectScheduler(undefined, found("h2load"))).generator.name, "h2load");
  assert.equal((await inspectScheduler(undefined, found("oha"))).generator.name, "oha");
  assert.equal((await inspectScheduler("oha", found("oha"))).generator.name, "oha");
});

test("without either the error names the package for apt, brew and nix", async () => {
  assert.equal(
    await refused(undefined, "wrk"),
    "neither h2load nor oha is installed, and one is needed; install it: " +
      '"apt-get install -y nghttp2-client", "brew install nghttp2" or "nix profile install nixpkgs#nghttp2"',
  );
  assert.match((await refused("oha", "h2load"))!, /^oha is not installed; install it: "cargo install oha/);
});
