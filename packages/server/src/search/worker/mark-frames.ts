import { detectVideoMark, drawVideoMark, type MarkRaster } from '@colophon/model/watermark';
import { WAVE_MARK } from '../image-mark.js';
import { readFrameHeader, splitFrames } from '../video/y4m.js';
import type { DrawMarkTask, Marking, MarkReading } from './protocol.js';

const NO_FRAMES = 'The video has no frames that can be decoded.';

export function drawMark({ bytes, size, payload }: DrawMarkTask): Marking {
  const frames = readFrames(bytes);
  if (frames.length === 0) return { kind: 'unmarked', reason: NO_FRAMES };
  return { kind: 'marked', bytes: drawVideoMark(frames, size, payload) };
}

export function readFrameMark(bytes: Uint8Array): MarkReading {
  const frames = readFrames(bytes);
  if (frames.length === 0) return { kind: 'unread', reason: NO_FRAMES };
  const found = detectVideoMark(frames);
  return { kind: 'read', bindings: found === undefined ? [] : [WAVE_MARK.toBinding(found.payload)] };
}

function readFrames(bytes: Uint8Array): MarkRaster[] {
  const header = readFrameHeader(bytes);
  if (header === undefined) return [];
  const { width, height } = header;
  return Array.from(splitFrames(bytes, header), (data) => ({ width, height, channels: 1, data }));
}
