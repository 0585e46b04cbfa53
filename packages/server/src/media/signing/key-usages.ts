/** Usages of the C2PA trust lists (C2PA 2.2 §14.5.1), and of certificates that are older than the first list. */
export const SIGNING_USAGES: readonly string[] = [
  '1.3.6.1.5.5.7.3.4', // e-mail protection
  '1.3.6.1.5.5.7.3.36', // document signing (RFC 9336)
  '1.3.6.1.4.1.311.76.59.1.9', // Microsoft C2PA signing
  '1.3.6.1.4.1.62558.2.1', // C2PA claim signing
];

/** Usages of the other certificates in a manifest: time-stamping and OCSP responses. */
export const SERVICE_USAGES: readonly string[] = ['1.3.6.1.5.5.7.3.8', '1.3.6.1.5.5.7.3.9'];
