import type { StoredSoftBinding } from '@colophon/model';
import type { MarkRaster } from '@colophon/model/watermark';
import type { MarkFormat } from '../mark-format.js';

/** An algorithm that adds watermarks to decoded pictures, and reads them. */
export interface ImageMarkAlgorithm extends MarkFormat {
  /** Returns the bytes of the picture with the payload as an invisible mark. The alpha channel stays as it is. */
  embed(raster: MarkRaster, payload: bigint): Promise<Uint8Array>;
  /** Returns the soft binding of the payload in a picture; undefined if the picture has no mark. */
  detect(raster: MarkRaster): Promise<StoredSoftBinding | undefined>;
}
