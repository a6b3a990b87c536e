import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { failure } from "../bench/basics/errors.ts";
import { fileOf } from "./addresses.ts";
import { framed, type Page } from "./frame.ts";
import type { Section } from "./markdown.ts";

/** The file that says that a folder is a built site, and may be emptied. */
const MARKER = ".levelfield-site";

/** A folder that the site is written to, and what its search will find. */
export class SiteFolder {
  pages = 0;
  readonly found: { readonly title: string; readonly heading: string; readonly text: string; readonly at: string }[] =
    [];
  readonly #folder: string;
  readonly #repository: string;

  /** Empties the folder. Throws where it holds anything but a site. */
  constructor(folder: string, repository: string) {
    if (existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, MARKER))) {
      throw failure(`"${folder}" is there and no site`, "name a folder that is not there yet");
    }
    rmSync(folder, { recursive: true, force: true });
    this.#folder = folder;
    this.#repository = repository;
    this.write(MARKER, "");
  }

  /** The file of an address, in a folder that is there. */
  place(address: string): string {
    const file = join(this.#folder, fileOf(address));
    mkdirSync(dirname(file), { recursive: true });
    return file;
  }

  write(address: string, text: string): void {
    writeFileSync(this.place(address), text);
  }

  writeJson(address: string, value: unknown): void {
    this.write(address, `${JSON.stringify(value, null, 2)}\n`);
  }

  /** Puts a page into its frame, and its sections into the search. */
  put(page: Page, sections: readonly Section[] = []): void {
    this.putWhole(page.address, framed(page, this.#repository));
    this.find(page, sections);
  }

  /** Puts a page that has its own frame. */
  putWhole(address: string, text: string): void {
    this.pages++;
    this.write(address, text);
  }

  find({ address, title }: Pick<Page, "address" | "title">, sections: readonly Section[]): void {
    this.found.push(
      ...sections.map(({ heading, id, text }) => ({ title, heading, text, at: address + (id === "" ? "" : `#${id}`) })),
    );
  }
}
