import { IsccError } from './header.js';
import { FRAME_SIGNATURE_VALUES } from './video-code.js';

/** These positions and lengths are in bits. */
const FRAME_COUNT_AT = 129;
const SEGMENT_COUNT_AT = 242;
const HEADER_BITS = 274;
const SEGMENT_BITS = 4 * 32 + 1 + 5 * 243;
const COMPRESSION_BITS = 1;
/** A flag, the time, the confidence and 5 words. */
const FRAME_HEAD_BITS = 1 + 32 + 8 + 5 * 8;
/** A byte contains 5 values, as digits of base 3 with the highest digit first. */
const VALUES_PER_BYTE = 5;
const SIGNATURE_BYTES = FRAME_SIGNATURE_VALUES / VALUES_PER_BYTE;
const FRAME_BITS = FRAME_HEAD_BITS + SIGNATURE_BYTES * 8;
const BYTE_VALUES = 3 ** VALUES_PER_BYTE;

/**
 * Parses a video signature in the binary format of MPEG-7 (ISO/IEC 15938-3, Video Signature), as the filter `signature`
 * of FFmpeg writes it: one spatial region, with times, without compression. Returns the signatures of its frames for
 * `videoUnit`: 380 values from 0 to 2 for each frame. Large counts in the header do not increase the use of memory.
 * Throws IsccError for bytes in another form, for incomplete or damaged bytes, and for bytes after the last frame.
 */
export function parseVideoSignature(bytes: Uint8Array): Iterable<number[]> {
  if (bytes.length * 8 < HEADER_BITS) throw malformed('it has no complete header');
  if (readBits(bytes, 0, 32) !== 1) throw malformed('it does not have exactly one spatial region');
  if (readBits(bytes, 32, 1) !== 1 || readBits(bytes, 177, 1) !== 1)
    throw malformed('it lacks the position or the times of its region');
  const frameCount = readBits(bytes, FRAME_COUNT_AT, 32);
  const framesAt = HEADER_BITS + readBits(bytes, SEGMENT_COUNT_AT, 32) * SEGMENT_BITS + COMPRESSION_BITS;
  const endAt = framesAt + frameCount * FRAME_BITS;
  if (bytes.length !== Math.ceil(endAt / 8))
    throw malformed(`it has ${bytes.length} bytes, and its header states ${Math.ceil(endAt / 8)}`);
  if (readBits(bytes, framesAt - COMPRESSION_BITS, 1) !== 0) throw malformed('it is compressed');
  if (readBits(bytes, endAt, bytes.length * 8 - endAt) !== 0) throw malformed('bits follow its last frame');
  for (let at = framesAt; at < endAt; at += FRAME_BITS) checkFrame(bytes, at);
  return {
    *[Symbol.iterator]() {
      for (let at = framesAt; at < endAt; at += FRAME_BITS) yield readFrame(bytes, at);
    },
  };
}

function checkFrame(bytes: Uint8Array, at: number): void {
  if (readBits(bytes, at, 1) !== 1) throw malformed('a frame lacks its time');
  for (let index = 0; index < SIGNATURE_BYTES; index++) {
    if (readByte(bytes, at + FRAME_HEAD_BITS + index * 8) >= BYTE_VALUES)
      throw malformed('a frame has a value above 2');
  }
}

function readFrame(bytes: Uint8Array, at: number): number[] {
  const values: number[] = [];
  for (let index = 0; index < SIGNATURE_BYTES; index++) {
    const byte = readByte(bytes, at + FRAME_HEAD_BITS + index * 8);
    for (let digit = BYTE_VALUES / 3; digit >= 1; digit /= 3) values.push(Math.floor(byte / digit) % 3);
  }
  return values;
}

/** `at`: the first bit. */
function readByte(bytes: Uint8Array, at: number): number {
  const first = Math.floor(at / 8);
  const pair = ((bytes[first] ?? 0) << 8) | (bytes[first + 1] ?? 0);
  return (pair >> (8 - (at % 8))) & 0xff;
}

/** Up to 32 bits, unsigned, the highest bit first. */
function readBits(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let bit = at; bit < at + count; bit++)
    value = value * 2 + (((bytes[Math.floor(bit / 8)] ?? 0) >> (7 - (bit % 8))) & 1);
  return value;
}

function malformed(fault: string): IsccError {
  return new IsccError(`The video signature cannot be read: ${fault}`);
}
