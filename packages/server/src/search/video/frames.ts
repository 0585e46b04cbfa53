/** In pixels. */
export const FRAME_EDGE = 128;
export const FRAME_BYTES = FRAME_EDGE * FRAME_EDGE * 3;
export const FRAME_RATE = 2;
export const MAX_VIDEO_SECONDS = 120;
export const MAX_SAMPLES = FRAME_RATE * MAX_VIDEO_SECONDS;
export const MAX_FRAMES_BYTES = MAX_SAMPLES * FRAME_BYTES;

/**
 * The only FFmpeg demuxer for each media type. Without it, FFmpeg would also read playlists, which can name other files
 * and addresses.
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

export function demuxerOf(mediaType: string): string | undefined {
  const [essence = ''] = mediaType.split(';', 1);
  return essence.startsWith('video/') ? DEMUXERS[essence.slice('video/'.length)] : undefined;
}
