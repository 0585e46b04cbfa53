import type { Kind } from '../../search/descriptor.js';
import type { TextEmbedder } from '../../search/embed-text.js';
import type { MemoryIndex } from '../../search/memory-index.js';
import type { SearchPool } from '../../search/search-pool.js';

/** Dependencies of similarity search besides database and bytes. */
export interface MatchingDeps {
  pool: SearchPool;
  index: MemoryIndex;
  /** The kinds of content that this installation can describe. */
  kinds: ReadonlySet<Kind>;
  /** Memory that decoding a picture may take. */
  maxPictureBytes: number;
  /** How long a recording waits for its matches; what takes longer is done after it. */
  waitMs: number;
  /** The provider that has been configured, if any. */
  embedder: TextEmbedder | undefined;
}
