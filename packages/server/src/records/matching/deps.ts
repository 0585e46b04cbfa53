import type { Kind } from '../../search/descriptor.js';
import type { TextEmbedder } from '../../search/embed-text.js';
import type { MarkFormat } from '../../search/mark-format.js';
import type { MemoryIndex } from '../../search/memory-index.js';
import type { SearchPool } from '../../search/search-pool.js';

export interface MatchingDeps {
  pool: SearchPool;
  index: MemoryIndex;
  kinds: ReadonlySet<Kind>;
  /** Whether the service computes and stores the ISCC of recorded content. */
  storesIscc: boolean;
  /** Path of the program that decodes videos and compressed sounds; undefined when it is not installed. */
  ffmpeg: string | undefined;
  /** Path of the program that draws pages of PDFs; undefined when it is not installed. */
  pdftoppm: string | undefined;
  /** Memory limit for decoding a picture, in bytes. */
  maxPictureBytes: number;
  /** The payload format of the watermarks that the service adds to pictures. */
  pictureMark: MarkFormat;
  /** Memory that the model for watermarks needs in one task, in bytes; 0 without a model. */
  modelBytes: number;
  /** Maximum time for which a recording waits for its matches, in ms. After this time, a job describes the content. */
  waitMs: number;
  /** Maximum number of models whose vectors one project may store. */
  maxModels: number;
  /** The configured embedding provider, if any. */
  embedder: TextEmbedder | undefined;
}
