/** The exports of a module that is served and measured: an app as its default, or `open`; see open-module.ts. */
import type { Listening, ListenOptions } from "./adapter.ts";
import type { RuntimeName } from "./runtime.ts";

/** The argument of an app's `open`. */
export interface AppContext {
  /** Folder with its files, or null without. */
  readonly directory: string | null;
  readonly options: Readonly<Record<string, string | number>>;
  readonly runtime: RuntimeName;
}

/** Facts about an opened app, read back from its engines rather than from our intentions. */
export interface AppFacts {
  /** All bytes it keeps on disk; null where it keeps none. */
  readonly diskBytes: number | null;
  /** Versions, pragmas in force and the like, by name. */
  readonly facts: Readonly<Record<string, string | number>>;
}

/** An opened app: a fetch handler for the runtime's adapter, or a server of its own. */
export interface App {
  readonly fetch?: (request: Request, more?: unknown) => Response | Promise<Response>;
  /** Used in place of `fetch` by frameworks that bring a server. */
  readonly listen?: (options: ListenOptions) => Promise<Listening>;
  describe?(): AppFacts | Promise<AppFacts>;
  /** Takes work to be done at each call of one that calls functions by itself; without it, work is done at each request. */
  slower?(work: () => void): void;
  /** Lets go of files and memory. Calling it again does nothing. */
  close?(): void | Promise<void>;
}

/** Opens an app. Throws {@link Unsupported} where this runtime cannot run it. */
export type OpenApp = (context: AppContext) => App | Promise<App>;

/** This runtime cannot run the app; the message says why in one line. No fault of the app or the machine. */
export class Unsupported extends Error {
  override readonly name = "Unsupported";
}
