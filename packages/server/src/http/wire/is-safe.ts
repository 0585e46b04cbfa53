/** Whether requests of this method only read (RFC 9110 §9.2.1). Preflights are answered before the routes. */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
