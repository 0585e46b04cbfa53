import { SVG } from '../formats.js';

/** A JUMBF description box (ISO 19566-5 §A.3): its type, 16 bytes for the kind of content, its toggles, its label. */
const DESCRIPTION = 'jumd';
const LABEL_AT = 4 + 16 + 1;
/** The description box of a manifest store. 12 bytes precede it: two box lengths and the store's type. */
const STORE = Buffer.from('6a756d646332706100110010800000aa00389b71', 'hex');
const STORE_HEAD_BYTES = 12;
/** The text `jumdc2pa` in base64, for SVG. Its offset in a store is a multiple of 3, so the base64 is constant. */
const ENCODED_STORE = Buffer.from('jumdc2pa').toString('base64').slice(0, -1);
/** The bytes before a manifest store. Each pattern is compared with the last 8 of these bytes. */
const HOLDERS: readonly { mediaTypes: readonly string[]; before: RegExp }[] = [
  { mediaTypes: ['image/jpeg'], before: /^JP/ },
  { mediaTypes: ['image/png'], before: /caBX$/ },
  { mediaTypes: ['image/webp', 'audio/wav', 'video/x-msvideo'], before: /^C2PA/ },
];

/** Finds parts of a manifest in a damaged file. The manifest of a picture inside the file does not count. */
export function hasRemnantOfManifest(file: Uint8Array, mediaType: string): boolean {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (mediaType === SVG) return bytes.includes(ENCODED_STORE);
  if (!hasDescription(bytes)) return false;
  const others = HOLDERS.filter(({ mediaTypes }) => !mediaTypes.includes(mediaType));
  return !others.some(({ before }) => holdsStore(bytes, before));
}

function hasDescription(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(DESCRIPTION); at !== -1; at = bytes.indexOf(DESCRIPTION, at + 1))
    if (bytes.toString('latin1', at + LABEL_AT, at + LABEL_AT + 4) === 'c2pa') return true;
  return false;
}

function holdsStore(bytes: Buffer, before: RegExp): boolean {
  for (let at = bytes.indexOf(STORE); at !== -1; at = bytes.indexOf(STORE, at + 1)) {
    const start = at - STORE_HEAD_BYTES;
    if (before.test(bytes.toString('latin1', Math.max(0, start - 8), start))) return true;
  }
  return false;
}
