/** What has to agree before a version is published. */

/** Texts of a checkout that name its version. */
export interface Versions {
  /** The version by file: package.json, deno.json and others. */
  readonly files: Readonly<Record<string, string | undefined>>;
  readonly changelog: string;
  /** The tag of the commit; undefined without one. */
  readonly tag: string | undefined;
}

/** The part of a CHANGELOG under the heading of a version, without the heading; undefined without such a heading. */
export function changelogPart(changelog: string, version: string): string | undefined {
  const [, ...parts] = changelog.split(/^## /m);
  const part = parts.find((each) => /^\[?([^\s\]]+)/.exec(each)?.[1] === version);
  return part?.slice(part.indexOf("\n") + 1).trim();
}

/**
 * Names what does not agree; empty if a version may be published.
 * @param rehearsed before a release: the tag may be missing, and `Unreleased` may stand for the version
 */
export function disagreements({ files, changelog, tag }: Versions, rehearsed: boolean): string[] {
  const version = files["package.json"];
  if (version === undefined) return ["package.json names no version"];
  const others = Object.entries(files).filter(([, each]) => each !== version)
    .map(([file, each]) =>
      `${file} has ${each === undefined ? "no version" : `version ${each}`}, package.json ${version}`
    );
  const part = changelogPart(changelog, version) ?? (rehearsed ? changelogPart(changelog, "Unreleased") : undefined);
  return [
    ...others,
    ...(tag === `v${version}` || rehearsed && tag === undefined
      ? []
      : [`the tag is ${tag ?? "missing"}, not v${version}`]),
    ...(part === undefined ? [`CHANGELOG.md has no part "## ${version}"`] : part === "" ? ["its part is empty"] : []),
  ];
}
