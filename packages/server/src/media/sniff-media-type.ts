import { fileTypeFromBuffer } from 'file-type';

/** How much of the beginning of a content decides its media type, in bytes. */
export const SNIFFED_BYTES = 4100;

const UNKNOWN = 'application/octet-stream';

/**
 * The media type of content by its first bytes; names and declared types are not believed.
 * `text/plain` for UTF-8 without control characters, `application/octet-stream` for the unknown.
 */
export async function sniffMediaType(head: Uint8Array): Promise<string> {
  if (head.length === 0) return UNKNOWN;
  const known = await fileTypeFromBuffer(head);
  if (known !== undefined) return known.mime;
  return isText(head) ? 'text/plain' : UNKNOWN;
}

function isText(head: Uint8Array): boolean {
  try {
    // `stream`: a character cut at the end of the sample is no fault.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return !/(?![\t\n\v\f\r])\p{Cc}/u.test(text);
  } catch {
    return false;
  }
}

/** The kind of content that a media type stands for. */
export function toResourceType(mimeType: string): string {
  const [kind = ''] = mimeType.split('/');
  return ['image', 'audio', 'video', 'text'].includes(kind) ? kind : 'other';
}
