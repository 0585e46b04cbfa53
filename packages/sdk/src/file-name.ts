import type { UploadOptions } from './transport/call-options.js';
import type { Content } from './transport/content.js';

/** Falls back to the name of the File, and then to `file.bin`. */
export function nameOf(content: Content, { fileName }: UploadOptions = {}): string {
  if (fileName !== undefined) return fileName;
  const { name } = content as { name?: unknown };
  return content instanceof Blob && typeof name === 'string' && name !== '' ? name : 'file.bin';
}
