/** What store.ts uses of lmdb, for checking types where the example's own packages are not installed. */
declare module "lmdb" {
  interface RootDatabase<V, K> {
    get(key: K): V | undefined;
    put(key: K, value: V): Promise<boolean>;
    transaction<T>(action: () => T): Promise<T>;
    close(): Promise<void>;
  }
  function open<V, K>(options: { readonly path: string }): RootDatabase<V, K>;
}
