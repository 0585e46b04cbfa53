export { detectImageMark, type ImageMark } from './detect-image-mark.js';
export { embedImageMark } from './embed-image-mark.js';
export type { MarkRaster } from './plane.js';
