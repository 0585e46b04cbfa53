/** The example of C2SP signed-note. */
export const FOREIGN_KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';

export const copy = (value) => JSON.parse(JSON.stringify(value));

/** Other base64 of the same length. */
export const flip = (base64) => `${base64.startsWith('A') ? 'B' : 'A'}${base64.slice(1)}`;

/** Only the base64 may contain a plus sign. */
export function splitKey(key) {
  const [name, keyId, ...rest] = key.split('+');
  return { name, keyId, base64: rest.join('+') };
}
