/** Pragmas a connection sets, all of them in each profile: builds of SQLite and bindings begin with different ones. */
export type Pragmas = Readonly<
  Record<
    | "journal_mode"
    | "synchronous"
    | "foreign_keys"
    | "busy_timeout"
    | "cache_size"
    | "temp_store"
    | "mmap_size"
    | "wal_autocheckpoint",
    string | number
  >
>;

/** SQLite's defaults (sqlite.org/pragma.html): a rollback journal, synced before and after each commit. */
const DEFAULTS: Pragmas = {
  journal_mode: "delete",
  synchronous: 2,
  foreign_keys: 0,
  busy_timeout: 0,
  cache_size: -2_000,
  temp_store: 0,
  mmap_size: 0,
  wal_autocheckpoint: 1_000,
};

/** A named set of pragmas, and what is left of a commit after a power cut. */
export interface Profile {
  readonly title: string;
  readonly durability: string;
  readonly caveat?: string;
  readonly pragmas: Pragmas;
}

/** The profiles, each adding to the one before. */
export const PROFILES = {
  default: {
    title: "SQLite's own defaults: rollback journal, synchronous=FULL",
    durability: "each commit survives a power cut",
    pragmas: DEFAULTS,
  },
  wal: {
    title: "write-ahead log, else the defaults: synchronous=FULL",
    durability: "each commit survives a power cut",
    pragmas: { ...DEFAULTS, journal_mode: "wal" },
  },
  tuned: {
    title: "write-ahead log, synchronous=NORMAL, 16 MB cache, 256 MB memory map",
    durability: "each commit survives the end of the process; a power cut takes those since the last checkpoint",
    caveat: "a power cut may take the last commits",
    pragmas: {
      journal_mode: "wal",
      synchronous: 1,
      foreign_keys: 1,
      busy_timeout: 5_000,
      cache_size: -16_384,
      temp_store: 2,
      mmap_size: 268_435_456,
      wal_autocheckpoint: 1_000,
    },
  },
} as const satisfies Readonly<Record<string, Profile>>;

/** Name of a profile. */
export type ProfileName = keyof typeof PROFILES;
