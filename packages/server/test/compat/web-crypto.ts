/** The part of Node's `crypto` that browsers have; the ProvenanceKit UI imports it. */
export const webcrypto = globalThis.crypto;
