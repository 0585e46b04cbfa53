export interface MediaFormat {
  name: string;
  mediaType: string;
  /** Other media types of this format. */
  aliases: readonly string[];
  /** The file extensions without the dot. The usual extension comes first. */
  extensions: readonly string[];
  read: boolean;
  write: boolean;
}

/** Pictures as XML. No decoder of this service draws them, because they can contain scripts and entities. */
export const SVG = 'image/svg+xml';
export const HTML = 'text/html';

/** All other code looks formats up in this table. */
export const MEDIA_FORMATS: readonly MediaFormat[] = [
  format('JPEG', 'image/jpeg', { aliases: ['image/jpg'], extensions: ['jpg', 'jpeg'] }),
  format('PNG', 'image/png', { extensions: ['png'] }),
  format('HEIC', 'image/heic', { aliases: ['image/heic-sequence'], extensions: ['heic'] }),
  format('HEIF', 'image/heif', { aliases: ['image/heif-sequence'], extensions: ['heif'] }),
  format('AVIF', 'image/avif', { extensions: ['avif'] }),
  format('WebP', 'image/webp', { extensions: ['webp'] }),
  format('MP4', 'video/mp4', { aliases: ['application/mp4', 'video/x-m4v'], extensions: ['mp4', 'm4v'] }),
  format('MOV', 'video/quicktime', { extensions: ['mov'] }),
  format('MP3', 'audio/mpeg', { aliases: ['audio/mp3'], extensions: ['mp3'] }),
  format('M4A', 'audio/mp4', { aliases: ['audio/x-m4a', 'audio/m4a'], extensions: ['m4a'] }),
  format('PDF', 'application/pdf', { extensions: ['pdf'] }),
  format('GIF', 'image/gif', { extensions: ['gif'] }),
  format('TIFF', 'image/tiff', { extensions: ['tif', 'tiff'] }),
  format('JPEG XL', 'image/jxl', { extensions: ['jxl'] }),
  format('SVG', SVG, { extensions: ['svg'] }),
  format('WAV', 'audio/wav', {
    aliases: ['audio/wave', 'audio/x-wav', 'audio/vnd.wave'],
    extensions: ['wav'],
  }),
  format('FLAC', 'audio/flac', { aliases: ['audio/x-flac'], extensions: ['flac'] }),
  format('AVI', 'video/x-msvideo', {
    aliases: ['video/vnd.avi', 'video/avi', 'video/msvideo'],
    extensions: ['avi'],
  }),
  format('HTML', HTML, { extensions: ['html', 'htm'] }),
  format('Text', 'text/plain', {
    aliases: ['text/markdown', 'text/csv', 'text/tab-separated-values'],
    extensions: ['txt', 'md', 'csv', 'tsv'],
  }),
];

function format(
  name: string,
  mediaType: string,
  { aliases = [], extensions }: { aliases?: string[]; extensions: string[] },
): MediaFormat {
  return { name, mediaType, aliases, extensions, read: true, write: true };
}

/** Ignores parameters and letter case. */
export function findFormat(mediaType: string): MediaFormat | undefined {
  const [essence = ''] = mediaType.split(';', 1);
  const wanted = essence.trim().toLowerCase();
  return MEDIA_FORMATS.find((one) => one.mediaType === wanted || one.aliases.includes(wanted));
}

/** The C2PA engine has no text support, so the service itself reads and writes the manifests of text files. */
export function isText({ mediaType }: Pick<MediaFormat, 'mediaType'>): boolean {
  return mediaType.startsWith('text/');
}
