/** A template without its line ends and the spaces that begin its lines: written to be read, rendered without them. */
export const dense = (template: string): string => template.trim().replace(/\n\s*/g, "");
