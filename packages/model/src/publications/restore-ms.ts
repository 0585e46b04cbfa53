/** Time after its revocation in which a publication can be restored, in milliseconds. */
export const RESTORE_MS = 60_000;
