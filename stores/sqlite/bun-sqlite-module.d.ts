/** The part of Bun's built-in module that is used here. */
declare module "bun:sqlite" {
  export class Database {
    constructor(file: string);
    exec(sql: string): void;
    prepare(sql: string): {
      get(...values: (string | number | null)[]): unknown;
      all(...values: (string | number | null)[]): unknown[];
      run(...values: (string | number | null)[]): unknown;
      finalize(): void;
    };
    close(): void;
  }
}
