/** The word that stands for a reference run on the command line, and the first of every such run's folder. */
export const REFERENCE = "reference";
