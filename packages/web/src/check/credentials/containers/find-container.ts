import type { Container } from './container.js';
import { GIF } from './gif.js';
import { ID3 } from './id3.js';
import { JPEG_XL } from './jpeg-xl.js';
import { RIFF } from './riff.js';
import { SVG } from './svg.js';
import { TIFF } from './tiff.js';

const CONTAINERS = [RIFF, GIF, TIFF, JPEG_XL, ID3, SVG];

/** Returns undefined for unknown formats, and for formats that the library of the page reads. */
export function findContainer(bytes: Uint8Array): Container | undefined {
  return CONTAINERS.find((container) => container.canRead(bytes));
}
