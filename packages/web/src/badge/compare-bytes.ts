/** Compares the picture with the published bytes. A picture on another origin needs CORS. */
export async function compareBytes(
  element: Element,
  sha256: string | undefined,
): Promise<'same' | 'other' | 'unknown'> {
  const source = element instanceof HTMLImageElement ? element.currentSrc || element.src : '';
  // Browsers offer `crypto.subtle` only in secure contexts.
  if (source === '' || sha256 === undefined || globalThis.crypto?.subtle === undefined) return 'unknown';
  try {
    const answer = await fetch(source, { credentials: 'omit', cache: 'force-cache' });
    if (!answer.ok) return 'unknown';
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await answer.arrayBuffer()));
    const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
    return hex === sha256 ? 'same' : 'other';
  } catch {
    return 'unknown'; // for example, the picture is on a server that does not allow CORS
  }
}
