import type { UploadOptions } from './transport/call-options.js';
import type { Content } from './transport/content.js';

/** Returns the file name for a form: `fileName` of the options, else the name of the File, else `file.bin`. */
export function nameOf(content: Content, { fileName }: UploadOptions = {}): string {
  if (fileName !== undefined) return fileName;
  const { name } = content as { name?: unknown };
  return content instanceof Blob && typeof name === 'string' && name !== '' ? name : 'file.bin';
}
