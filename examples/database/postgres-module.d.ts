/** What this example uses of postgres, for checking types where the example's own packages are not installed. */
declare module "postgres" {
  type Row = Readonly<Record<string, unknown>>;
  interface Identifier {
    readonly identifier: string;
  }
  interface Sql {
    <T extends readonly unknown[] = Row[]>(text: TemplateStringsArray, ...values: readonly unknown[]): Promise<T>;
    (identifier: string): Identifier;
    begin<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
    end(options?: { readonly timeout: number }): Promise<void>;
  }
  export default function postgres(options: Readonly<Record<string, unknown>>): Sql;
}
