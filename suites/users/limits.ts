/** Largest body `POST /users` reads, in bytes; a larger one is answered with 413. */
export const BODY_LIMIT_BYTES = 16_384;
