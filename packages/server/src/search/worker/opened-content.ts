import type { IsccUnit } from '@colophon/model';
import type { Description } from './protocol.js';

/** Opened content. The descriptor and the Content-Code are computed from it, mostly with a single decoding. */
export interface OpenedContent {
  describe(): Description;
  /** Undefined when the content has no Content-Code. */
  readUnit(): Promise<IsccUnit | undefined>;
  /** True when the content could not be decoded now, but a later attempt may succeed. */
  isPassing?: true;
}
