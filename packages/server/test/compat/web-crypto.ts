/** What a browser has of Node's `crypto`, as the published UI uses it. */
export const webcrypto = globalThis.crypto;
