export { detectImageMark, type ImageMark } from './detect-image-mark.js';
export { embedImageMark } from './embed-image-mark.js';
export type { MarkRaster } from './plane.js';
export { detectSoundMark, type SoundMark } from './sound/detect-sound-mark.js';
export { embedSoundMark } from './sound/embed-sound-mark.js';
export type { Sound } from './sound/sound.js';
export {
  readTrustMark,
  TRUSTMARK_BITS,
  type TrustMarkPacket,
  writeTrustMark,
} from './trustmark/packet.js';
export { detectVideoMark, drawVideoMark } from './video-mark.js';
