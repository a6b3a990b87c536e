/**
 * The Containerfile, built and run with podman on a Debian base made here: CPU sets, users, read-only root, interrupts.
 * The pinned base image comes from a registry and is not fetched here.
 */
import assert from "node:assert/strict";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { must, run, testUnless } from "./command.ts";
import { onPath } from "./stub-nixpkgs.ts";
import { until } from "../testing.ts";

const needed = ["podman", "buildah", "runc", "debootstrap"].filter((program) => onPath(program) === undefined);
const missing = needed.length > 0
  ? `not installed: ${needed.join(", ")}`
  : process.getuid?.() !== 0
  ? "debootstrap needs root"
  : undefined;
const containerTest = testUnless(missing, test);

const SUITE = "trixie";
const BASE = `localhost/levelfield-test-base:${SUITE}`;
const IMAGE = "localhost/levelfield-test:latest";
/** What the layers over the base may hold: three runtimes of about 350 MB, and little else. */
const MAX_LAYERS_MB = 400;
const ONE_CELL = ["run", "--runtime", "bun", "--store", "map", "--size", "10k", "--rounds", "1"];
const SMALL = [...ONE_CELL, "--duration", "1s"];

const scratch = mkdtempSync(join(tmpdir(), "levelfield-container-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

/** runc and the limits: what nested and cgroup v1 hosts need. No network: a run wants none. */
const LIMITS = ["--runtime", "runc", "--ulimit", "nofile=20000:20000", "--ulimit", "nproc=4096:4096"];

function podmanRun(options: readonly string[], args: readonly string[]) {
  return run("podman", ["run", "--rm", "--network=none", ...LIMITS, ...options, IMAGE, ...args]);
}

function newFolder(name: string): string {
  const folder = join(scratch, name);
  mkdirSync(folder);
  return folder;
}

function onlyRun(results: string) {
  const [name] = readdirSync(results);
  return JSON.parse(readFileSync(join(results, name!, "run.json"), "utf8"));
}

/** Exit 3 is fine: a busy machine may spoil a trial. */
function assertMeasured({ code, stderr }: { code: number | null; stderr: string }) {
  assert.ok(code === 0 || code === 3, `exit ${code}: ${stderr.slice(-2000)}`);
}

async function ensureBase(): Promise<void> {
  if ((await run("podman", ["image", "exists", BASE])).code === 0) return;
  const root = join(scratch, "rootfs");
  await must("debootstrap", ["--variant=minbase", SUITE, root]);
  rmSync(join(root, "var/cache/apt/archives"), { recursive: true });
  await must("sh", ["-c", `tar -C "$0" -c . | podman import - "$1"`, root, BASE]);
  rmSync(root, { recursive: true });
}

/** Arguments of a build here, the same for podman and buildah. */
function buildArgs(): string[] {
  const args = ["--isolation=chroot", "--network=host", "--layers", "--build-arg", `BASE=${BASE}`, "-t", IMAGE];
  const authority = process.env["NODE_EXTRA_CA_CERTS"];
  if (authority !== undefined && existsSync(authority)) {
    args.push("--volume", `${authority}:/run/authority.crt:ro`);
    args.push("--build-arg", "NODE_EXTRA_CA_CERTS=/run/authority.crt");
  }
  return [...args, "-f", "Containerfile", "."];
}

containerTest("the Containerfile builds with podman, then with buildah from the same layers", async () => {
  await ensureBase();
  await must("podman", ["build", ...buildArgs()], { cwd: PROJECT_ROOT });
  await must("buildah", ["build", ...buildArgs()], { cwd: PROJECT_ROOT });
});

containerTest("the image adds no more to its base than it needs", async () => {
  const size = async (image: string) =>
    Number(await must("podman", ["image", "inspect", "--format", "{{.Size}}", image]));
  const megabytes = (await size(IMAGE) - await size(BASE)) / 1e6;
  assert.ok(megabytes > 300 && megabytes < MAX_LAYERS_MB, `layers over the base hold ${megabytes.toFixed(0)} MB`);
  const { stdout } = await podmanRun(["--entrypoint", "find"], ["/opt/levelfield/bench", "-name", "*.test.ts"]);
  assert.equal(stdout, "", "tests are not part of the image");
});

containerTest("it says on --version that it is an image, and starts read-only and without any right", async () => {
  const { code, stdout, stderr } = await podmanRun(["--read-only", "--user=4242:4242", "--cap-drop=all"], [
    "--version",
  ]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^tools +container image$/m);
  for (const runtime of ["node", "deno", "bun"]) assert.match(stdout, new RegExp(`^${runtime} +\\d+\\.`, "m"));
});

containerTest("with two CPUs the server and the generator have one each, and run.json says it was podman", async () => {
  const results = newFolder("two");
  const options = ["--cpuset-cpus=0,1", "--read-only", "-v", `${results}:/results`];
  assertMeasured(await podmanRun([...options, "--env", "LEVELFIELD_IMAGE_DIGEST=sha256:0123"], SMALL));
  const { machine, placement, levelfield, state } = onlyRun(results);
  assert.equal(state, "finished");
  assert.equal(machine.container, "podman");
  assert.equal(machine.cpus_allowed, "0-1");
  assert.match(placement.pinning, /^(separate-cores|siblings)$/);
  assert.deepEqual([...placement.server_cpus, ...placement.load_cpus].sort(), [0, 1]);
  assert.equal(levelfield.environment, "image");
  assert.equal(levelfield.image_digest, "sha256:0123");
  assert.notEqual(statSync(results).uid, 0, "root measured");
});

containerTest("one CPU in the set is all that is used", async () => {
  const results = newFolder("one");
  assertMeasured(await podmanRun(["--cpuset-cpus=1", "-v", `${results}:/results`], SMALL));
  const { machine, placement } = onlyRun(results);
  assert.equal(machine.cpus_allowed, "1");
  assert.equal(placement.pinning, "one-cpu");
});

containerTest("results belong to whoever owns the folder", async () => {
  const results = newFolder("owned");
  chownSync(results, 1234, 1235);
  assertMeasured(await podmanRun(["-v", `${results}:/results`], SMALL));
  const [name] = readdirSync(results);
  const { uid, gid } = statSync(join(results, name!, "run.json"));
  assert.deepEqual({ uid, gid }, { uid: 1234, gid: 1235 });
});

for (const signal of ["INT", "TERM"]) {
  containerTest(`SIG${signal} stops a run in the container, keeps what was measured and ends with 130`, async () => {
    const results = newFolder(`stopped-${signal}`);
    const name = `levelfield-test-${process.pid}-${signal}`;
    const running = podmanRun(["--name", name, "-v", `${results}:/results`], [...ONE_CELL, "--duration", "60s"]);
    await until(() => readdirSync(results).length > 0);
    await sleep(1_500);
    await must("podman", ["kill", "--signal", signal, name]);
    const { code, stderr } = await running;
    assert.equal(code, 130, stderr);
    assert.equal(onlyRun(results).state, "interrupted");
  });
}

containerTest("the example's server and generator run in containers of their own, as its README says", async () => {
  const example = join(PROJECT_ROOT, "examples", "compose");
  const blocks = [...readFileSync(join(example, "README.md"), "utf8").matchAll(/^```sh\n([\s\S]*?)^```/gm)];
  const name = `levelfield-test-${process.pid}-server`;
  const commands = blocks[1]![1]!.replaceAll("levelfield-server", name)
    .replaceAll("podman run", `podman run ${LIMITS.join(" ")}`)
    .replaceAll("  levelfield ", `  ${IMAGE} `);
  const output = await must("bash", ["-euc", commands], { cwd: example });
  const figures = JSON.parse(output.split("\n").find((line) => line.startsWith("{"))!);
  assert.ok(figures.requests > 0);
  assert.deepEqual(Object.values(figures.errors).filter((count) => count !== 0), []);
  const compose = readFileSync(join(example, "compose.yaml"), "utf8");
  assert.equal(new Set(compose.match(/cpuset: .*/g)).size, 2, "two CPU sets that differ");
});
