/** Time for which a browser uses only TLS, in seconds (RFC 6797 §6.1.1). */
const TLS_ALONE_SECONDS = 365 * 86_400;

/** Returns the headers of every response. `overTls`: the browser uses only TLS for this host during the next year. */
export function answerHeaders(overTls = false): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    ...(overTls ? { 'strict-transport-security': `max-age=${TLS_ALONE_SECONDS}` } : {}),
  };
}
