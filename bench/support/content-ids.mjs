import { createHash } from 'node:crypto';
import { parseContentId } from '@colophon/model';

/** Returns the CID of a text. */
export function cidOf(text) {
  return parseContentId(`sha256:${createHash('sha256').update(text).digest('hex')}`);
}
