/**
 * The flake, driven for real with Nix over a stand-in for nixpkgs: evaluation, wiring, dev shell, package, checks.
 * That nixpkgs' own packages build is not proven here; docs/environment.md lists what is not.
 */
import assert from "node:assert/strict";
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { environmentWith, must, run, testUnless } from "./command.ts";
import { onPath, writeStubNixpkgs } from "./stub-nixpkgs.ts";

const missing = onPath("nix") === undefined
  ? "nix is not installed"
  : process.getuid?.() !== 0
  ? "building with programs of the host needs root"
  : undefined;
const nixTest = testUnless(missing, test);

const scratch = mkdtempSync(join(tmpdir(), "levelfield-nix-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
const copy = join(scratch, "checkout");
const stub = join(scratch, "stub");
const env = environmentWith({
  NIX_CONFIG: [
    "experimental-features = nix-command flakes",
    "substituters =",
    "warn-dirty = false",
    "sandbox = false",
    "build-users-group =",
  ].join("\n"),
  LEVELFIELD_TOOLS: "",
  TMPDIR: scratch,
});
const system = `${process.arch === "arm64" ? "aarch64" : "x86_64"}-${process.platform}`;
const SMALL = ["--runtime", "bun", "--store", "map", "--size", "10k", "--rounds", "1", "--duration", "1s"];

let prepared: Promise<void> | undefined;
/** Copies the checkout without what git ignores: a path flake would copy every byte of it into the store. */
function prepare(): Promise<void> {
  return prepared ??= (async () => {
    const files = await must("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: PROJECT_ROOT });
    for (const file of files.split("\0").filter((name) => name !== "" && existsSync(join(PROJECT_ROOT, name)))) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(join(PROJECT_ROOT, file), join(copy, file));
    }
    writeStubNixpkgs(stub);
  })();
}

/** Calls nix in the copy, nixpkgs replaced by the stub. */
async function nix(command: readonly string[], ...rest: readonly string[]): Promise<string> {
  await prepare();
  const stubbed = ["--offline", "--override-input", "nixpkgs", `path:${stub}`, "--no-write-lock-file"];
  return await must("nix", [...command, ...stubbed, ...rest], { cwd: copy, env });
}

/** Reads what `bench run --json` printed: exit 3 is fine, a busy machine may spoil a trial, but none may have failed. */
function soundRun({ code, stdout, stderr }: Awaited<ReturnType<typeof run>>) {
  assert.ok(code === 0 || code === 3, `exit ${code}: ${stderr.slice(-2000)}`);
  const { run: record, cells } = JSON.parse(stdout);
  for (const card of cells) assert.ok(["ok", "invalid"].includes(card.status), JSON.stringify(card.marks));
  return record;
}

nixTest("flake.lock agrees with flake.nix, and a change of one alone is noticed", async () => {
  await prepare();
  const metadata = ["flake", "metadata", "--offline", "--no-update-lock-file", "--json"];
  const { locks } = JSON.parse(await must("nix", metadata, { cwd: copy, env }));
  assert.match(locks.nodes.nixpkgs.locked.rev, /^[0-9a-f]{40}$/);
  const other = join(scratch, "other");
  mkdirSync(other);
  cpSync(join(copy, "flake.lock"), join(other, "flake.lock"));
  writeFileSync(
    join(other, "flake.nix"),
    readFileSync(join(copy, "flake.nix"), "utf8").replace("nixpkgs-unstable", "nixos-unstable"),
  );
  assert.notEqual((await run("nix", metadata, { cwd: other, env })).code, 0);
});

nixTest("the hash of node_modules in the flake is the one of package-lock.json", async () => {
  await prepare();
  const recipe = readFileSync(join(copy, "nix", "node-modules.nix"), "utf8");
  const unwanted = /rm -rf (.*)/.exec(recipe)![1]!.split(" ");
  const tree = join(scratch, "levelfield-node-modules");
  mkdirSync(tree);
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(copy, file), join(tree, file));
  const command = /npm (ci .*)/.exec(recipe)![1]!.split(" ");
  await must("npm", [...command, "--prefer-offline"], { cwd: tree });
  for (const name of unwanted) rmSync(join(tree, "node_modules", name), { recursive: true, force: true });
  for (const file of ["package.json", "package-lock.json"]) rmSync(join(tree, file));
  const hash = (await must("nix", ["hash", "path", tree], { env })).trim();
  assert.ok(recipe.includes(hash), `package-lock.json gives "${hash}": write it into nix/node-modules.nix`);
  // What is in the store already needs no network below.
  await must("nix-store", ["--add-fixed", "--recursive", "sha256", tree], { env });
});

nixTest("flake show lists every output, and each says what it is", async () => {
  const shown = JSON.parse(await nix(["flake", "show"], "--json"));
  assert.deepEqual(Object.keys(shown).sort(), ["apps", "checks", "devShells", "formatter", "packages"]);
  assert.deepEqual(Object.keys(shown.packages[system]).sort(), ["bench", "default", "image", "node-modules"]);
  const describe = "set: builtins.mapAttrs (_: one: one.meta.description) set";
  for (const output of ["packages", "apps", "devShells", "checks"]) {
    const found = JSON.parse(await nix(["eval"], "--json", `.#${output}.${system}`, "--apply", describe));
    for (const [name, description] of Object.entries(found)) {
      assert.match(String(description), /^[A-Z\da-z].{8,}/, `${output}.${name}`);
    }
  }
});

nixTest("nix develop gives a shell in which bench measures with the tools of nixpkgs", async () => {
  await prepare();
  const version = await nix(["develop"], "-c", "bench", "--version");
  assert.match(version, /^tools +Nix, pinned by flake.lock$/m);
  const stubbed = ["--offline", "--override-input", "nixpkgs", `path:${stub}`, "--no-write-lock-file"];
  const bench = ["-c", "bench", "run", ...SMALL, "--json"];
  const record = soundRun(await run("nix", ["develop", ...stubbed, ...bench], { cwd: copy, env }));
  assert.equal(record.levelfield.environment, "nix");
  assert.match(record.levelfield.flake_lock_sha256, /^[0-9a-f]{64}$/);
  assert.deepEqual(record.runtimes.map((runtime: { origin: string }) => runtime.origin), ["path"]);
  assert.ok(lstatSync(join(copy, "node_modules")).isSymbolicLink());
  assert.ok(existsSync(join(copy, "results", record.run, "run.json")));
});

nixTest("nix run starts bench, and the package needs nothing of the host's PATH", async () => {
  assert.match(await nix(["run"], ".", "--", "--version"), /^levelfield +\d/);
  await nix(["build"], ".#bench", "--out-link", join(scratch, "bench"));
  const outside = join(scratch, "outside");
  mkdirSync(outside);
  const bare = { PATH: "/nonexistent", HOME: scratch, TMPDIR: scratch };
  const record = soundRun(
    await run(join(scratch, "bench", "bin", "bench"), ["run", ...SMALL, "--json"], { cwd: outside, env: bare }),
  );
  assert.ok(existsSync(join(outside, "results", record.run, "run.json")), "results belong to the folder one is in");
  assert.equal(existsSync(join(scratch, ".cache", "levelfield")), true, "data belongs to the user's cache");
});

nixTest("the image starts the entry script and brings its own tools", async () => {
  await nix(["build"], ".#image", "--out-link", join(scratch, "image"));
  const image = JSON.parse(await must(join(scratch, "image"), []));
  assert.equal(image.name, "levelfield");
  const [bash, entry] = image.config.Entrypoint;
  assert.match(bash, /^\/nix\/store\/.*\/bin\/bash$/);
  assert.equal(readFileSync(entry, "utf8"), readFileSync(join(PROJECT_ROOT, "container", "entry.sh"), "utf8"));
  const path = image.config.Env.find((line: string) => line.startsWith("PATH="));
  for (const program of ["bench", "tini", "setpriv", "stat", "bash"]) {
    const folders: string[] = path.slice("PATH=".length).split(":");
    const found = folders.some((folder) => lstatSync(join(folder, program), { throwIfNoEntry: false }) !== undefined);
    assert.ok(found, `"${program}" is in no folder of the image's PATH`);
  }
});

nixTest("nix fmt formats with the project's rules", async () => {
  await nix(["fmt"], "--", "--check");
});

nixTest("nix flake check holds: format, lint, unit tests on three runtimes, a real trial", async () => {
  await nix(["flake", "check"]);
});

const npmAnswers = missing === undefined && (await run("npm", ["ping"])).code === 0;
testUnless(missing ?? (npmAnswers ? undefined : "the package registry does not answer"), test)(
  "npm installs the same node_modules again, byte by byte",
  async () => {
    await nix(["build"], ".#node-modules", "--no-link", "--rebuild");
  },
);
