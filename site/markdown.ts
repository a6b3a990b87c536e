/** Markdown of the project as HTML: links rewritten, headings with addresses, and runs with their JSON beside them. */
import { posix } from "node:path";
import MarkdownIt, { type Token } from "markdown-it";
import { escapeHtml } from "../bench/page/html.ts";

/** A part of a page under a heading, for the search. */
export interface Section {
  readonly heading: string;
  /** The heading's id; empty above the first one. */
  readonly id: string;
  readonly text: string;
}

/** A Markdown text made into HTML. */
export interface Made {
  readonly html: string;
  readonly title: string;
  readonly sections: readonly Section[];
}

/** What links of a page become. */
export interface Links {
  /** The link to a file or folder of the project, by its path from there. */
  to(path: string): string;
  /** The link to the JSON of a kept run by the name of its folder; null if there is none. */
  json(run: string): string | null;
}

const markdown = new MarkdownIt({ html: true });

/** The name of a heading in addresses, as GitHub makes it: CI holds links of pages against it, too. */
export const slugOf = (heading: string): string =>
  heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(" ", "-");

const RUN = /(?:^|\/)results\/((?:audit|reference)[\w-]*)\/?$/;

/** A comment that says which run figures before it are of. */
const SOURCE = /^<!-- results\/((?:audit|reference)[\w-]*)(?: \w+)?(?::end| says [^]*) -->\s*$/;

const plainText = (token: Token): string =>
  (token.children ?? []).map(({ type, content }) =>
    type === "text" || type === "code_inline" ? content : type === "softbreak" ? " " : ""
  ).join("");

const jsonLink = (run: string, href: string) =>
  ` <a class="json" href="${escapeHtml(href)}" aria-label="JSON of ${run}">JSON</a>`;

/**
 * Makes HTML of a Markdown file.
 *
 * @param path its path from the project's folder, which relative links begin at
 * @throws RangeError for HTML in it that is no comment
 */
export function makeHtml(text: string, path: string, links: Links): Made {
  const tokens = markdown.parse(text, {});
  const used = new Map<string, number>();
  const sections: { heading: string; id: string; text: string }[] = [{ heading: "", id: "", text: "" }];
  let title = "";
  const target = (href: string): string => {
    if (/^(?:https?:|mailto:|#)/.test(href)) return href;
    const [file, hash] = href.split("#") as [string, string | undefined];
    return links.to(posix.join(posix.dirname(path), file)) + (hash === undefined ? "" : `#${hash}`);
  };
  tokens.forEach((token, n) => {
    if (token.type === "heading_open") {
      const heading = plainText(tokens[n + 1]!), slug = slugOf(heading), before = used.get(slug) ?? 0;
      used.set(slug, before + 1);
      const id = before === 0 ? slug : `${slug}-${before}`;
      token.attrSet("id", id);
      if (token.tag === "h1" && title === "") title = heading;
      else sections.push({ heading, id, text: "" });
    } else if (token.type === "inline") {
      if (tokens[n - 1]?.type !== "heading_open") sections.at(-1)!.text += ` ${plainText(token)}`;
      token.children = inlineOf(token.children ?? [], target, links);
    } else if (token.type === "fence" || token.type === "code_block") {
      sections.at(-1)!.text += ` ${token.content}`;
      token.attrSet("tabindex", "0");
    } else if (token.type === "html_block") token.content = commentOf(token.content, links);
    // A page runs no styles but those of its file.
    const style = token.attrGet("style");
    if (style !== null) {
      token.attrs = token.attrs!.filter(([name]) => name !== "style");
      token.attrJoin("class", style === "text-align:right" ? "right" : "");
    }
  });
  return { html: markdown.renderer.render(tokens, markdown.options, {}), title, sections };
}

/** The parts of a line with their links; a link to a run is followed by one to its JSON. */
function inlineOf(parts: readonly Token[], target: (href: string) => string, links: Links): Token[] {
  const open: (string | null)[] = [];
  return parts.flatMap((part) => {
    if (part.type === "image") part.attrSet("src", target(String(part.attrGet("src"))));
    if (part.type === "html_inline") {
      if (!part.content.startsWith("<!--")) throw new RangeError(`"${part.content}" is HTML and no comment`);
      return [];
    }
    if (part.type === "link_open") {
      const href = String(part.attrGet("href"));
      open.push(RUN.exec(href)?.[1] ?? null);
      part.attrSet("href", target(href));
    }
    const run = part.type === "link_close" ? open.pop() ?? null : null, json = run === null ? null : links.json(run);
    return json === null ? [part] : [part, htmlToken(jsonLink(run!, json))];
  });
}

function htmlToken(content: string): Token {
  const [token] = markdown.parseInline("<b>", {})[0]!.children!;
  return Object.assign(token!, { content });
}

/** A comment that names a run becomes a line about it; others are left out. */
function commentOf(content: string, links: Links): string {
  if (!/^\s*<!--/.test(content)) throw new RangeError(`"${content.trim()}" is HTML and no comment`);
  const run = SOURCE.exec(content)?.[1], json = run === undefined ? null : links.json(run);
  return json === null
    ? ""
    : `<p class="source">Figures of <a href="${escapeHtml(links.to(`results/${run}`))}">${run}</a>${
      jsonLink(run!, json)
    }</p>\n`;
}

const wrapRule = (open: string, close: string) => {
  markdown.renderer.rules["table_open"] = (tokens, n, options, _, self) => open + self.renderToken(tokens, n, options);
  markdown.renderer.rules["table_close"] = (tokens, n, options, _, self) =>
    self.renderToken(tokens, n, options) + close;
};
wrapRule('<div class="scroll" role="group" aria-label="Table" tabindex="0">', "</div>\n");
markdown.renderer.rules["heading_close"] = (tokens, n, options, _, self) => {
  const open = tokens.findLast((token, at) => at < n && token.type === "heading_open")!;
  const id = escapeHtml(String(open.attrGet("id"))), heading = escapeHtml(plainText(tokens[n - 1]!));
  const anchor = open.tag === "h1" ? "" : ` <a class="anchor" href="#${id}" aria-label="Link to ${heading}">#</a>`;
  return anchor + self.renderToken(tokens, n, options);
};
