import type { RuntimeName } from "../../../servers/runtime.ts";
import type { Workload } from "../checks.ts";
import type { World } from "../world.ts";

/** How a driver is used: as its first page shows it, or as its documentation says it is fastest. */
export type Use = "default" | "best";

/** Where PostgreSQL is, and how it is to be used. Its password is in PGPASSWORD, where every driver looks by itself. */
export interface SqlOptions {
  readonly host: string;
  readonly port: number;
  /** Connections of the driver's pool. */
  readonly pool: number;
  readonly use: Use;
}

/** A driver with its pool. */
export interface SqlClient {
  /** A row by its key. */
  one(id: number): Promise<World>;
  /** Rows by their keys in one query, in any order. */
  some(ids: readonly number[]): Promise<readonly World[]>;
  /** In one transaction each row is read, then written with its number; keys are in order. */
  change(rows: readonly World[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens a driver; `directory` has what was generated for it. */
export type OpenSql = (options: SqlOptions, directory: string | null) => SqlClient | Promise<SqlClient>;

/** Facts of a driver, known without loading it. */
export interface DriverFacts {
  readonly title: string;
  readonly runtimes: readonly RuntimeName[];
  /** Its best use, where that is another than its default, and at which workloads. */
  readonly best?: { readonly how: string; readonly workloads: readonly Workload[] };
  /** Package whose version is reported; none where the runtime has it. */
  readonly packages: readonly string[];
  /** Packages that generate its client, for a driver that needs one. */
  readonly generated?: readonly string[];
}
