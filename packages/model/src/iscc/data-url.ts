import { base64pad } from 'multiformats/bases/base64';
import { IsccError } from './header.js';

/** RFC 2397. Throws IsccError for other text. */
export function dataUrlBytes(url: string): Uint8Array {
  const comma = url.indexOf(',');
  if (!/^data:/i.test(url) || comma < 0)
    throw new IsccError('The metadata is not a data URL. Pass an object, or text that begins with data:');
  const isBase64 = /;\s*base64$/i.test(url.slice(0, comma));
  try {
    const text = decodeURIComponent(url.slice(comma + 1));
    return isBase64 ? base64pad.decode(`M${text}`) : new TextEncoder().encode(text);
  } catch (cause) {
    throw new IsccError('The data URL of the metadata cannot be decoded', { cause });
  }
}
