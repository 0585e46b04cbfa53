import { createHash } from 'node:crypto';
import { parseContentId } from '@colophon/model';

export function cidOf(text) {
  return parseContentId(`sha256:${createHash('sha256').update(text).digest('hex')}`);
}
