/** Load generators with each of their faults, in place of one that is installed. */
import "../faulty-generators.ts";
