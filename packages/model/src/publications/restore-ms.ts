/** Time in which a revoked publication can be restored, in milliseconds after the revocation. */
export const RESTORE_MS = 60_000;
