import type { UploadOptions } from './transport/call-options.js';
import type { Content } from './transport/content.js';

/** What a form calls a file: as the caller says, or as a File is called. */
export function nameOf(content: Content, { fileName }: UploadOptions = {}): string {
  if (fileName !== undefined) return fileName;
  const { name } = content as { name?: unknown };
  return content instanceof Blob && typeof name === 'string' && name !== '' ? name : 'file.bin';
}
