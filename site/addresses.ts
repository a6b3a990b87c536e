/** Addresses of the site: paths from its root, which for pages end in "/". All links are relative, so any root will do. */
import { posix } from "node:path";

/** The address of a page that a Markdown file of the project becomes, or of a file that the site has as it is; else null. */
export function addressOf(path: string): string | null {
  const clean = posix.normalize(path).replace(/\/$/, "");
  if (clean === "README.md") return "";
  const edition = /^docs\/audits\/earlier\/([\w-]+)\/(\d+)\.(md|json)$/.exec(clean);
  if (edition !== null) return `audits/${edition[1]}/${edition[2]}/${edition[3] === "json" ? "claims.json" : ""}`;
  const [, place, name] = /^docs\/audits\/((?:([\w-]+))\.md)$/.exec(clean) ?? [];
  if (place !== undefined) return name === "README" ? "audits/" : `audits/${name}/`;
  if (clean === "results" || clean === "results/README.md") return "runs/";
  if (/^results\/(?:schema|(?:audit|reference)[\w-]*)$/.test(clean)) {
    return clean === "results/schema" ? null : `runs/${clean.slice("results/".length)}/`;
  }
  if (/^results\/(?:schema|(?:audit|reference)[\w-]*)\/.+\.(?:json|ndjson)$/.test(clean)) {
    return `runs/${clean.slice("results/".length)}`;
  }
  if (/^docs\/pictures\/[\w-]+\.svg$/.test(clean)) return clean;
  if (/^[A-Z_]+\.md$/.test(clean)) return `docs/${clean.slice(0, -3).toLowerCase().replaceAll("_", "-")}/`;
  if (/^(?:docs|suites|examples)\/(?:[\w-]+\/)*[\w-]+\.md$/.test(clean)) {
    return `${clean.replace(/(?:\/README)?\.md$/, "")}/`;
  }
  return null;
}

/** The relative link from a page to an address. */
export function linkFrom(page: string, to: string): string {
  const way = posix.relative(`/${page}`, `/${to}`);
  return way === "" ? "./" : to === "" || to.endsWith("/") ? `${way}/` : way;
}

/** The file that a page or file is written to. */
export const fileOf = (address: string): string =>
  address === "" || address.endsWith("/") ? `${address}index.html` : address;
