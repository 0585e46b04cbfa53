/** The side of the square to which frames are scaled, in pixels. */
export const FRAME_EDGE = 128;
/** Size of a frame in bytes: red, green and blue of each pixel. */
export const FRAME_BYTES = FRAME_EDGE * FRAME_EDGE * 3;
/** Frames per second that the decoder returns. */
export const FRAME_RATE = 2;
/** The service compares only this many seconds of a video, from its beginning. */
export const MAX_VIDEO_SECONDS = 120;
export const MAX_SAMPLES = FRAME_RATE * MAX_VIDEO_SECONDS;
/** Largest size of the decoded frames of a video, in bytes. */
export const MAX_FRAMES_BYTES = MAX_SAMPLES * FRAME_BYTES;

/**
 * The name of the only FFmpeg demuxer that may read a media type. A stated demuxer reads no other format. If no demuxer
 * were stated, a playlist with the name or the declared type of a video could make FFmpeg open files and addresses.
 */
const DEMUXERS: Readonly<Record<string, string>> = {
  mp4: 'mov',
  'x-m4v': 'mov',
  quicktime: 'mov',
  '3gpp': 'mov',
  '3gpp2': 'mov',
  webm: 'matroska',
  matroska: 'matroska',
  'x-matroska': 'matroska',
  'vnd.avi': 'avi',
  'x-msvideo': 'avi',
};

/** Returns the FFmpeg demuxer for a media type of video. Undefined for a type that the service does not read. */
export function demuxerOf(mediaType: string): string | undefined {
  const [essence = ''] = mediaType.split(';', 1);
  return essence.startsWith('video/') ? DEMUXERS[essence.slice('video/'.length)] : undefined;
}
