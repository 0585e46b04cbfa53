/** The part of Node's `crypto` that browsers have; the published UI imports it. */
export const webcrypto = globalThis.crypto;
