import { createHash } from 'node:crypto';
import { parseContentId } from '@colophon/model';

/** The CID of a text as content. */
export function cidOf(text) {
  return parseContentId(`sha256:${createHash('sha256').update(text).digest('hex')}`);
}
