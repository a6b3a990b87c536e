/** Entry of the driver: runs its command line and exits. The only place that exits. */
import { cannotPrint, runCommandLine } from "./command-line.ts";

// Measuring continues if progress cannot be printed, and fails if results cannot.
process.stderr.on("error", () => {});
process.stdout.on("error", (error) => process.exit(cannotPrint(error, process)));
process.exit(await runCommandLine(process.argv.slice(2), process));
