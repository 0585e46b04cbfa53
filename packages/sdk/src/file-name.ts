import type { UploadOptions } from './transport/call-options.js';
import type { Content } from './transport/content.js';

/** Returns the name of a file in a form: the caller's name, or else the name of the File. */
export function nameOf(content: Content, { fileName }: UploadOptions = {}): string {
  if (fileName !== undefined) return fileName;
  const { name } = content as { name?: unknown };
  return content instanceof Blob && typeof name === 'string' && name !== '' ? name : 'file.bin';
}
