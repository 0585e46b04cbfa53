/** The part of Node's `crypto` that the ProvenanceKit UI imports. */
export const webcrypto = globalThis.crypto;
