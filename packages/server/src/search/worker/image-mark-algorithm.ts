import type { StoredSoftBinding } from '@colophon/model';
import type { MarkRaster } from '@colophon/model/watermark';
import type { MarkFormat } from '../mark-format.js';

export interface ImageMarkAlgorithm extends MarkFormat {
  /** Returns the pixels with an invisible mark. The alpha channel stays as it is. */
  embed(raster: MarkRaster, payload: bigint): Promise<Uint8Array>;
  /** Returns undefined if the picture has no mark. */
  detect(raster: MarkRaster): Promise<StoredSoftBinding | undefined>;
}
