import { fileTypeFromBuffer } from 'file-type';
import { HTML, SVG } from './formats.js';

/** Number of bytes at the beginning of a content that decide its media type. */
export const SNIFFED_BYTES = 4100;

const UNKNOWN = 'application/octet-stream';

/** Decides by the first bytes, never by names or declared types. `application/octet-stream`: unknown. */
export async function sniffMediaType(head: Uint8Array): Promise<string> {
  if (head.length === 0) return UNKNOWN;
  // Checked first: the byte order mark of UTF-16 looks like the beginning of an MPEG audio frame.
  if (isMarkedUtf16(head)) return 'text/plain';
  const known = await fileTypeFromBuffer(head);
  if (known !== undefined) return known.mime === 'application/xml' && isSvg(head) ? SVG : known.mime;
  if (!isText(head)) return findBeginning(head) ?? UNKNOWN;
  return isSvg(head) ? SVG : isHtml(head) ? HTML : 'text/plain';
}

function isSvg(head: Uint8Array): boolean {
  return /^<(?:svg:)?svg[\s>/]/.test(skipProlog(head));
}

/** An HTML fragment counts as plain text. */
function isHtml(head: Uint8Array): boolean {
  return /^<(?:!doctype\s+html|html)[\s>]/i.test(skipProlog(head));
}

/** Skips `<?...?>`, comments and an SVG document type at the beginning. */
function skipProlog(head: Uint8Array): string {
  let rest = new TextDecoder().decode(head).trimStart();
  for (;;) {
    const close = rest.startsWith('<?')
      ? '?>'
      : rest.startsWith('<!--')
        ? '-->'
        : /^<!doctype\s+svg\s/i.test(rest)
          ? findDoctypeEnd(rest)
          : undefined;
    const end = close === undefined ? -1 : rest.indexOf(close);
    if (close === undefined || end === -1) return rest;
    rest = rest.slice(end + close.length).trimStart();
  }
}

/** `]>` if the document type contains declarations in brackets, otherwise `>`. */
function findDoctypeEnd(rest: string): string {
  const [bracket, end] = [rest.indexOf('['), rest.indexOf('>')];
  return bracket !== -1 && bracket < end ? ']>' : '>';
}

/** PDF readers accept the header anywhere in the first 1024 bytes (ISO 32000-1 Annex H, note 13). */
const PDF_HEADER_WITHIN = 1024;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** TIFF 6.0 §2: the byte order and the number 42. */
const TIFF_SIGNATURES = [Buffer.from('II*\0'), Buffer.from('MM\0*')];

/** The rest of the file may be damaged or missing. */
function findBeginning(head: Uint8Array): string | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return 'image/png';
  if (TIFF_SIGNATURES.some((signature) => bytes.subarray(0, 4).equals(signature))) return 'image/tiff';
  return bytes.subarray(0, PDF_HEADER_WITHIN).includes('%PDF-') ? 'application/pdf' : undefined;
}

/** Needs no decoding: UTF-8 uses ASCII bytes only for ASCII. Uses a loop, because V8 does not inline `some`. */
function hasControl(bytes: Uint8Array): boolean {
  for (const byte of bytes) if ((byte < 0x20 && (byte < 0x09 || byte > 0x0d)) || byte === 0x7f) return true;
  return false;
}

function isText(head: Uint8Array): boolean {
  // Rejects most binary content, and is cheaper than a failed decoding.
  if (hasControl(head)) return false;
  try {
    // With `stream`, a character that is cut at the end of the sample is valid.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return !/(?![\t\n\v\f\r])\p{Cc}/u.test(text);
  } catch {
    return false;
  }
}

/** Unicode 16 §23.8. Rejects control characters (except white space), unassigned and private-use characters. */
function isMarkedUtf16(head: Uint8Array): boolean {
  const [first, second] = head;
  const encoding =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : undefined;
  if (encoding === undefined || head.length < 4) return false;
  const text = new TextDecoder(encoding).decode(head, { stream: true });
  return !/(?![\t\n\v\f\r])[\p{Cc}\p{Cn}\p{Co}\ufffd]/u.test(text) && !text.startsWith('<?xml');
}

export function toResourceType(mimeType: string): string {
  const [kind = ''] = mimeType.split('/');
  return ['image', 'audio', 'video', 'text'].includes(kind) ? kind : 'other';
}
