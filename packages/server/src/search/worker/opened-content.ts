import type { IsccUnit } from '@colophon/model';
import type { Description } from './protocol.js';

/** The descriptor and the Content-Code mostly need a single decoding. */
export interface OpenedContent {
  describe(): Description;
  readUnit(): Promise<IsccUnit | undefined>;
  /** A later attempt may succeed. */
  isPassing?: true;
}
