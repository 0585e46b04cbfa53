/**
 * Returns the text that DSSE signs (DSSE v1 "PAE"): `DSSEv1`, then the media type and the payload, each after its
 * length in UTF-8 bytes.
 *
 * @example
 * dssePae('http://example.com/HelloWorld', 'hello world'); // => 'DSSEv1 29 http://example.com/HelloWorld 11 hello world'
 */
export function dssePae(payloadType: string, payload: string): string {
  return dssePaeHeader(payloadType, byteLength(payload)) + payload;
}

/**
 * Returns the text of `dssePae` before the payload. `payloadBytes`: length of the payload in UTF-8 bytes.
 *
 * @example
 * dssePaeHeader('http://example.com/HelloWorld', 11); // => 'DSSEv1 29 http://example.com/HelloWorld 11 '
 */
export function dssePaeHeader(payloadType: string, payloadBytes: number): string {
  return `DSSEv1 ${byteLength(payloadType)} ${payloadType} ${payloadBytes} `;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
