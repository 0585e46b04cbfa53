/** The method that describes pictures. A change of its computation needs a new name. */
export const IMAGE_METHOD = 'image-512/1';
export const TEXT_METHOD = 'text-512/1';
/** The elements and attributes of an SVG file, as words. */
export const SVG_METHOD = 'svg-512/1';
export const AUDIO_METHOD = 'audio-512/1';
/** The frames of a video, as a list. */
export const VIDEO_METHOD = 'video-frames/1';
/** Single frames of a video, with which a search finds the video. Each has its own descriptor, named by `namePart`. */
export const VIDEO_FRAME_METHOD = 'video-frame/1';

/** The name of a built-in method, or of the method of an embedding provider. */
export type Method = string;

/** The stored features of content for similarity search. */
export interface Descriptor {
  method: Method;
  /** A unit vector. Two contents are similar when the cosine of their vectors is near 1. */
  vector: Float32Array;
  /**
   * Data for the check of a near descriptor: the brightness of a picture, the MinHash of a text or SVG, the fingerprint
   * of a sound, or the frames of a video.
   */
  evidence: Uint8Array;
}

/**
 * Content to search with. A picture has eight vectors, one for each combination of flips and quarter turns. A video has
 * one vector for each searched frame. All other content has one vector.
 */
export interface Described extends Descriptor {
  /** The vectors to search with. The first vector is `vector`, except for a video. */
  turned: readonly Float32Array[];
  /** The evidence of the mirrored video. */
  mirrored?: Uint8Array;
  /** The sound of a video. */
  sound?: Described;
}

/**
 * Content with a near descriptor. `turn`: index of the searched vector that found the content; 0 for a video. `cosine`:
 * the cosine of this vector and the vector of the content. For a video, `cosine` is the mean vote of the searched
 * frames (see `findLikelyVideos`). A frame without a vote for the content counts as 0.
 */
export interface Candidate {
  cid: string;
  type: string;
  turn: number;
  cosine: number;
  evidence: Uint8Array;
}

/**
 * A candidate with the result of its check: `agreement` is from -1 to 1 for a picture, and from 0 to 1 for other
 * content.
 */
export interface CheckedMatch {
  cid: string;
  type: string;
  cosine: number;
  agreement: number;
}

/** Kinds of content with descriptors. `heif`, `pdf`, `audio` and `video` need a separate decoder. */
export type Kind = 'image' | 'heif' | 'svg' | 'text' | 'pdf' | 'audio' | 'video';

const PART_MARK = '#';

/** Returns the name of the descriptor of a part of a content. It never equals a CID, because no CID contains `#`. */
export function namePart(cid: string, part: number): string {
  return `${cid}${PART_MARK}${part}`;
}

/** Returns the CID of the content from the name of its part. */
export function contentOfPart(name: string): string {
  return name.split(PART_MARK, 1)[0] ?? name;
}

/** Largest content that is described, in bytes. */
export const MAX_DESCRIBED_BYTES = 64 * 2 ** 20;

interface KindSettings {
  method: Method;
  /** Matches the media types. PostgreSQL uses this pattern too. */
  types: RegExp;
  /** Minimum size: smaller content has too few features. */
  minBytes: number;
  /** The program or package that the service needs to describe this kind. */
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

/** Returns the kind of a media type; undefined when no method describes it. */
export function kindOf(mediaType: string): Kind | undefined {
  return (Object.keys(KINDS) as Kind[]).find((kind) => KINDS[kind].types.test(mediaType));
}

/** Whether content of this size can be described. */
export function isDescribable(kind: Kind, sizeBytes: number): boolean {
  return sizeBytes >= KINDS[kind].minBytes && sizeBytes <= MAX_DESCRIBED_BYTES;
}

/** Whether a method exists for content of this type and size. This machine may lack the required decoder. */
export function canBeDescribed(mediaType: string, sizeBytes: number): boolean {
  const kind = kindOf(mediaType);
  return kind !== undefined && isDescribable(kind, sizeBytes);
}

/** Returns the empty descriptor for content without usable features, so that the service does not describe it again. */
export function nothingBy(method: Method): Descriptor {
  return { method, vector: new Float32Array(), evidence: new Uint8Array() };
}
