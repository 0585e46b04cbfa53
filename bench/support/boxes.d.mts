/** A file of less than 1 MB that keeps a media thread busy for a minute. */
export function makeBoxes(): Buffer;
