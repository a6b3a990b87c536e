/** A server of its own folder, as the reports in docs/audits/next-server.md build it. */
export default { output: "standalone", outputFileTracingRoot: import.meta.dirname };
