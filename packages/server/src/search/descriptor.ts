/** The names of the methods. When the computation of a method changes, the method needs a new name. */
export const IMAGE_METHOD = 'image-512/1';
export const TEXT_METHOD = 'text-512/1';
export const SVG_METHOD = 'svg-512/1';
export const AUDIO_METHOD = 'audio-512/1';
export const VIDEO_METHOD = 'video-frames/1';
/** Describes single frames, so that a search can find the video. `namePart` names the descriptor of each frame. */
export const VIDEO_FRAME_METHOD = 'video-frame/1';

/** The name of a method above, or of the method of an embedding provider. */
export type Method = string;

export interface Descriptor {
  method: Method;
  /** A unit vector. Two contents are similar when the cosine of their vectors is near 1. */
  vector: Float32Array;
  /**
   * Data to check a near descriptor: brightness of a picture, MinHash of a text or SVG, fingerprint of a sound, or
   * frames of a video.
   */
  evidence: Uint8Array;
}

export interface Described extends Descriptor {
  /**
   * The vectors to search with: eight for a picture (flips and quarter turns), one for each searched frame of a video,
   * one for other content. The first is `vector`, except for a video.
   */
  turned: readonly Float32Array[];
  /** The evidence of the mirrored video. */
  mirrored?: Uint8Array;
  /** The sound of a video. */
  sound?: Described;
}

/**
 * Content with a near descriptor. `turn`: index of the searched vector that found the content; 0 for a video. `cosine`:
 * the cosine of the two vectors. For a video, `cosine` is the sum of the votes of the searched frames, divided by the
 * number of searched frames (see `findLikelyVideos`).
 */
export interface Candidate {
  cid: string;
  type: string;
  turn: number;
  cosine: number;
  evidence: Uint8Array;
}

/** `agreement`: how similar the evidence is, from -1 to 1 for a picture, and from 0 to 1 for other content. */
export interface CheckedMatch {
  cid: string;
  type: string;
  cosine: number;
  agreement: number;
}

/** `heif`, `pdf`, `audio` and `video` need a separate decoder. */
export type Kind = 'image' | 'heif' | 'svg' | 'text' | 'pdf' | 'audio' | 'video';

const PART_MARK = '#';

/** Returns the name of the descriptor of a part. It never equals a CID, because no CID contains `#`. */
export function namePart(cid: string, part: number): string {
  return `${cid}${PART_MARK}${part}`;
}

export function contentOfPart(name: string): string {
  return name.split(PART_MARK, 1)[0] ?? name;
}

export const MAX_DESCRIBED_BYTES = 64 * 2 ** 20;

interface KindSettings {
  method: Method;
  /** PostgreSQL uses this pattern too. */
  types: RegExp;
  minBytes: number;
  /** The required program or package. */
  decoder?: string;
}

export const KINDS: Record<Kind, KindSettings> = {
  image: { method: IMAGE_METHOD, types: /^image\/(jpeg|png|webp|gif|tiff|avif)$/, minBytes: 128 },
  heif: {
    method: IMAGE_METHOD,
    types: /^image\/(heic|heif)(-sequence)?$/,
    minBytes: 128,
    decoder: 'libheif-js',
  },
  svg: { method: SVG_METHOD, types: /^image\/svg\+xml$/, minBytes: 128 },
  text: { method: TEXT_METHOD, types: /^(text\/.*|application\/json)$/, minBytes: 60 },
  pdf: { method: TEXT_METHOD, types: /^application\/pdf(;.*)?$/, minBytes: 256, decoder: 'pdftotext' },
  audio: {
    method: AUDIO_METHOD,
    types: /^audio\/(mpeg|mp4|x-m4a|wav|flac|ogg|aac|aiff)(;.*)?$/,
    minBytes: 4096,
    decoder: 'fpcalc',
  },
  video: {
    method: VIDEO_METHOD,
    types: /^video\/(mp4|x-m4v|quicktime|3gpp2?|webm|(x-)?matroska|vnd\.avi|x-msvideo)(;.*)?$/,
    minBytes: 1024,
    decoder: 'ffmpeg',
  },
};

export function kindOf(mediaType: string): Kind | undefined {
  return (Object.keys(KINDS) as Kind[]).find((kind) => KINDS[kind].types.test(mediaType));
}

export function isDescribable(kind: Kind, sizeBytes: number): boolean {
  return sizeBytes >= KINDS[kind].minBytes && sizeBytes <= MAX_DESCRIBED_BYTES;
}

/** Whether a method exists for content of this type and size. Does not check whether this machine has the decoder. */
export function canBeDescribed(mediaType: string, sizeBytes: number): boolean {
  const kind = kindOf(mediaType);
  return kind !== undefined && isDescribable(kind, sizeBytes);
}

/** Returns the empty descriptor. It keeps the service from describing content without usable features again. */
export function nothingBy(method: Method): Descriptor {
  return { method, vector: new Float32Array(), evidence: new Uint8Array() };
}
