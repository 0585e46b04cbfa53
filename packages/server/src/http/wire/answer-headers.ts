/** Time for which a browser uses only TLS, in seconds (RFC 6797 §6.1.1). */
const TLS_ALONE_SECONDS = 365 * 86_400;

/**
 * Returns the headers of every answer: a browser must not guess its type, frame it, send its address on, or load it
 * for other sites. With `overTls`, the browser returns only by TLS.
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
