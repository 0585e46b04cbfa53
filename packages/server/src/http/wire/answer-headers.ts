/** Time for which a browser uses only TLS, in seconds (RFC 6797 §6.1.1). */
const TLS_ALONE_SECONDS = 365 * 86_400;

/**
 * On every answer beside its id: a browser must not guess, frame, follow, or load it for other sites; with `overTls`
 * also that it comes back by TLS alone.
 */
export function answerHeaders(overTls = false): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    ...(overTls ? { 'strict-transport-security': `max-age=${TLS_ALONE_SECONDS}` } : {}),
  };
}
