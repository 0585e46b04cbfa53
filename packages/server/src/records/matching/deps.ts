import type { Kind } from '../../search/descriptor.js';
import type { TextEmbedder } from '../../search/embed-text.js';
import type { MemoryIndex } from '../../search/memory-index.js';
import type { SearchPool } from '../../search/search-pool.js';

/** Dependencies of similarity search except database and bytes. */
export interface MatchingDeps {
  pool: SearchPool;
  index: MemoryIndex;
  /** The kinds of content that this installation can describe. */
  kinds: ReadonlySet<Kind>;
  /** Memory limit of decoding a picture. */
  maxPictureBytes: number;
  /** How long a recording waits for its matches. Slower work continues after it. */
  waitMs: number;
  /** The configured provider, if any. */
  embedder: TextEmbedder | undefined;
}
