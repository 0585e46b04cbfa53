/**
 * Limit of a signed note. A note has at most 100 signature lines (`parseSignedNote`). A line of a witness with
 * ML-DSA-44 has about 3.3 KB, and with a long name at most 3.5 KB.
 */
export const MAX_NOTE_BYTES = 524_288;
