import type { Kind } from '../../search/descriptor.js';
import type { TextEmbedder } from '../../search/embed-text.js';
import type { MarkFormat } from '../../search/mark-format.js';
import type { MemoryIndex } from '../../search/memory-index.js';
import type { SearchPool } from '../../search/search-pool.js';

export interface MatchingDeps {
  pool: SearchPool;
  index: MemoryIndex;
  kinds: ReadonlySet<Kind>;
  storesIscc: boolean;
  /** Path of the program; undefined when it is not installed. */
  ffmpeg: string | undefined;
  /** Path of the program; undefined when it is not installed. */
  pdftoppm: string | undefined;
  /** Memory limit for decoding a picture, in bytes. */
  maxPictureBytes: number;
  /** Payload format of the watermarks that the service adds to pictures. */
  pictureMark: MarkFormat;
  /** Memory that the model for watermarks needs in one task, in bytes; 0 without a model. */
  modelBytes: number;
  /** Maximum time for which a recording waits for its matches, in ms. */
  waitMs: number;
  /** Maximum number of models whose vectors one project may store. */
  maxModels: number;
  embedder: TextEmbedder | undefined;
}
