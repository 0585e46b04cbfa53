/** A file of less than 1 MB that keeps a thread of media busy for a minute. */
export function makeBoxes(): Buffer;
