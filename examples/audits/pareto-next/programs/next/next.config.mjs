/** Its own folder is its root, though other lock files stand above it; what both apps share stands beside it. */
export default {
  reactStrictMode: true,
  outputFileTracingRoot: `${import.meta.dirname}/..`,
  experimental: { externalDir: true },
};
