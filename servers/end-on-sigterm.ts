/** Loaded before a program that is profiled: one without a handler of its own would die of SIGTERM, its profile unwritten. */
process.on("SIGTERM", () => {
  if (process.listenerCount("SIGTERM") === 1) process.exit(0);
});
