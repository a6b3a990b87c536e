/** The public face of Levelfield. */
export {};
