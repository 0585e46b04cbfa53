import type { IsccUnit } from '@colophon/model';
import type { Description } from './protocol.js';

/** Content from which the descriptor and the Content-Code can be computed, mostly with one decoding. */
export interface OpenedContent {
  describe(): Description;
  /** Undefined when the content has no Content-Code. */
  readUnit(): Promise<IsccUnit | undefined>;
  /** True when the content could not be decoded now, but a later attempt may succeed. */
  isPassing?: true;
}
