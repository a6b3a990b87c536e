/** The used part of Bun's module; its types would declare globals that other runtimes lack. */
declare module "bun" {
  /** A statement, sent once it is awaited. */
  type Statement = Promise<unknown[]>;
  interface Sql {
    (strings: TemplateStringsArray, ...values: unknown[]): Statement;
    /** A list for IN. */
    (values: readonly unknown[]): unknown;
    begin<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
    end(): Promise<void>;
  }
  export interface SQL extends Sql {}
  export const SQL: new (options: object) => SQL;
  export const RedisClient: new (url: string) => {
    get(key: string): Promise<string | null>;
    set(key: string, value: string): Promise<unknown>;
    send(command: string, words: readonly string[]): Promise<number>;
    close(): void;
  };
}
