/** The example of C2SP signed-note. */
export const FOREIGN_KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';

export const copy = (value) => JSON.parse(JSON.stringify(value));

/** Other base64 of the same length. */
export const flip = (base64) => `${base64.startsWith('A') ? 'B' : 'A'}${base64.slice(1)}`;

/** Splits a key at its plus signs. Only its last part, the base64, may itself contain a plus sign. */
export function splitKey(key) {
  const [name, keyId, ...rest] = key.split('+');
  return { name, keyId, base64: rest.join('+') };
}
