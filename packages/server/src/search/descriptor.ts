/** How content is described; a change of what a method computes needs a new name. */
export const IMAGE_METHOD = 'image-512/1';
export const TEXT_METHOD = 'text-512/1';

/** The built-in ones, or one that an embedding provider stands for. */
export type Method = string;

/** What is kept of content to find it again. */
export interface Descriptor {
  method: Method;
  /** A unit vector: content is alike as far as the cosine of two is near 1. */
  vector: Float32Array;
  /** What candidates found by their vectors are checked with: brightness of a picture, MinHash of a text. */
  evidence: Uint8Array;
}

/** Described content as it is looked for: a picture in each of its flips and quarter turns, a text once. */
export interface Described extends Descriptor {
  /** The first one is `vector`. */
  turned: readonly Float32Array[];
}

/** Content whose descriptor is near. `cosine` is that of the nearest turn. */
export interface Candidate {
  cid: string;
  type: string;
  turn: number;
  cosine: number;
  evidence: Uint8Array;
}

/** A candidate with what the check found: from -1 to 1 for a picture, 0 to 1 for a text. */
export interface Checked {
  cid: string;
  type: string;
  cosine: number;
  agreement: number;
}

/** Kinds of content that can be described: `heif` are pictures that need a decoder of their own. */
export type Kind = 'image' | 'heif' | 'text';

/** Largest content that is described, in bytes. */
export const MAX_DESCRIBED_BYTES = 64 * 2 ** 20;

const IMAGES = ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'].map((name) => `image/${name}`);

const HEIF = ['heic', 'heif', 'heic-sequence', 'heif-sequence'].map((name) => `image/${name}`);

/** How content of a media type is described; undefined where there is no method for it. */
export function kindOf(mediaType: string): Kind | undefined {
  if (IMAGES.includes(mediaType)) return 'image';
  if (HEIF.includes(mediaType)) return 'heif';
  return mediaType.startsWith('text/') || mediaType === 'application/json' ? 'text' : undefined;
}

/** Content of fewer bytes has nothing to tell it by. */
const MIN_BYTES: Record<Kind, number> = { image: 128, heif: 128, text: 60 };

/** Whether content of this size can be described. */
export function isDescribable(kind: Kind, sizeBytes: number): boolean {
  return sizeBytes >= MIN_BYTES[kind] && sizeBytes <= MAX_DESCRIBED_BYTES;
}
