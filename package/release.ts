/**
 * Publishes a version: `bin/release [--dry-run] [STEP…]`, all steps by default. A dry run does all but the pushes.
 * .github/workflows/release.yml has a job for each push, with no right but that one. It imports nothing of npm where it pushes.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { changelogPart, disagreements } from "./agreement.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Where steps leave what the next ones push. */
const RELEASE = join(ROOT, ".data", "release");
/** The statistics alone, as JSR is given them. */
const STATISTICS = join(RELEASE, "statistics");
/** The first npm that publishes by OpenID Connect, without a token. */
const TRUSTED_NPM = [11, 5, 1] as const;

const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");
const say = (line: string) => process.stdout.write(`${line}\n`);

const { version, repository } = JSON.parse(textOf("package.json"));
const { values: { "dry-run": isDry = false }, positionals } = parseArgs({
  options: { "dry-run": { type: "boolean" } },
  allowPositionals: true,
});

/** Runs a program and returns what it printed. Throws if it fails. */
function output(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
}

/** Runs what changes something outside; a dry run prints it. */
function push(program: string, ...args: readonly string[]): void {
  if (isDry) say(`  left out: ${[program, ...args].join(" ")}`);
  else execFileSync(program, args, { cwd: ROOT, stdio: "inherit" });
}

function tagHere(): string | undefined {
  if (process.env["GITHUB_REF_TYPE"] === "tag") return process.env["GITHUB_REF_NAME"];
  const tags = output("git", "tag", "--points-at", "HEAD").split("\n");
  return tags.find((tag) => tag === `v${version}`) ?? tags.find((tag) => /^v\d+\.\d+\.\d+/.test(tag));
}

const tarball = () => {
  const file = existsSync(RELEASE) ? readdirSync(RELEASE).find((name) => name.endsWith(".tgz")) : undefined;
  if (file === undefined) throw new Error(`no package lies in "${RELEASE}": bin/release pack makes it`);
  return join(RELEASE, file);
};

/** The repository that publishes: its provenance is refused for any other one. */
function publisher(): string {
  const found = process.env["GITHUB_REPOSITORY"] ?? /github\.com\/(.+)\.git$/.exec(repository.url)?.[1];
  if (found === undefined || found.startsWith("OWNER/") && !isDry) {
    throw new Error(`repository.url of package.json is "${repository.url}": it has to be the one that publishes`);
  }
  return found;
}

/** Version, tag and CHANGELOG are one. */
function agree(): void {
  const files = {
    ...Object.fromEntries(
      ["package.json", "package-lock.json", "deno.json"].map((file) => [file, JSON.parse(textOf(file)).version]),
    ),
    "CITATION.cff": /^version: (.+)$/m.exec(textOf("CITATION.cff"))?.[1],
  };
  const faults = disagreements({ files, changelog: textOf("CHANGELOG.md"), tag: tagHere() }, isDry);
  if (faults.length > 0) throw new Error(faults.join("; "));
  say(`  version ${version}, tag ${tagHere() ?? `v${version} (not there yet)`}, from ${publisher()}`);
}

/** The package, its checksum, and CHANGELOG's part. */
async function pack(): Promise<void> {
  const { packPackage } = await import("./pack.ts");
  rmSync(RELEASE, { recursive: true, force: true });
  mkdirSync(RELEASE, { recursive: true });
  const file = packPackage(RELEASE, undefined, STATISTICS);
  const sha256 = createHash("sha256").update(readFileSync(file)).digest("hex");
  writeFileSync(join(RELEASE, "SHA256SUMS"), `${sha256}  levelfield-${version}.tgz\n`);
  const changelog = textOf("CHANGELOG.md");
  const part = changelogPart(changelog, version) ?? changelogPart(changelog, "Unreleased") ?? "";
  writeFileSync(join(RELEASE, "notes.md"), `${part}\n`);
  say(`  ${file}, sha256 ${sha256}`);
}

/** The package passes publint and attw, and says its version where it is installed alone. */
function check(): void {
  const tool = (name: string) => join(ROOT, "node_modules", ".bin", name);
  say(`  ${output(tool("publint"), tarball(), "--strict").split("\n").at(-1)} (publint)`);
  output(tool("attw"), tarball(), "--profile", "esm-only");
  execFileSync(tool("deno"), ["publish", "--dry-run", "--allow-dirty"], { cwd: STATISTICS, stdio: "pipe" });
  say("  no slow types (JSR)");
  const folder = mkdtempSync(join(tmpdir(), "levelfield-installed-"));
  try {
    output("npm", "install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--silent", tarball());
    const help = output(join(folder, "node_modules", ".bin", "levelfield"), "--help");
    if (!help.includes("Usage: levelfield <command>")) throw new Error(`the installed package printed "${help}"`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The package goes to npm, signed by who built it. */
function npm(): void {
  const found = output("npm", "--version").split(".").map(Number);
  const [major = 0, minor = 0, patch = 0] = TRUSTED_NPM.map((least, n) => (found[n] ?? 0) - least);
  if ((major || minor || patch) < 0) throw new Error(`npm ${found.join(".")} is older than ${TRUSTED_NPM.join(".")}`);
  publisher();
  const publish = ["publish", tarball(), "--provenance", "--access", "public"];
  push("npm", ...publish);
  if (isDry) say(`  ${output("npm", ...publish, "--dry-run", "--silent", "--offline")}`.trimEnd());
}

/** The statistics go to JSR, which trusts the repository that is linked to them. */
function jsr(): void {
  if (isDry) return push("deno", "publish");
  execFileSync("deno", ["publish", "--allow-dirty"], { cwd: STATISTICS, stdio: "inherit" });
}

/** The image of this machine's architecture, and its address by digest in a file. */
function images(): void {
  const name = `ghcr.io/${publisher().toLowerCase()}:${version}-${process.arch}`;
  const commit = output("git", "rev-parse", "HEAD");
  push("docker", "build", "-f", "Containerfile", "--build-arg", `COMMIT=${commit}`, "-t", name, ".");
  push("docker", "push", name);
  if (isDry) return;
  const digest = output("docker", "inspect", "--format", "{{index .RepoDigests 0}}", name);
  mkdirSync(RELEASE, { recursive: true });
  writeFileSync(join(RELEASE, `image-${process.arch}.txt`), `${digest}\n`);
}

/** The release on GitHub: package, checksums, CHANGELOG's part, images by digest. */
function github(): void {
  const digests = readdirSync(RELEASE).filter((name) => name.startsWith("image-")).sort()
    .map((name) => `- \`${readFileSync(join(RELEASE, name), "utf8").trim()}\``);
  const notes = readFileSync(join(RELEASE, "notes.md"), "utf8");
  const file = join(RELEASE, "release.md");
  writeFileSync(file, digests.length === 0 ? notes : `${notes}\n### Images\n\n${digests.join("\n")}\n`);
  push(
    "gh",
    "release",
    "create",
    `v${version}`,
    tarball(),
    join(RELEASE, "SHA256SUMS"),
    "--verify-tag",
    "--notes-file",
    file,
  );
}

const STEPS: Readonly<Record<string, () => void | Promise<void>>> = { agree, pack, check, npm, jsr, images, github };

try {
  const unknown = positionals.find((step) => !Object.hasOwn(STEPS, step));
  if (unknown !== undefined) throw new Error(`there is no step "${unknown}": ${Object.keys(STEPS).join(", ")}`);
  for (const [name, step] of Object.entries(STEPS)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    say(name);
    await step();
  }
  say(isDry ? "dry run: nothing was published" : "done");
} catch (error) {
  process.stderr.write(`error: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
