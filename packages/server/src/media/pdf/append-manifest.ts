import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRef,
  PDFString,
} from 'pdf-lib';
import { ServiceError } from '../../errors.js';
import { listManifest } from './attached-files.js';
import { inflationLimit, parseWithin } from './bound-inflation.js';
import { findCrossReference, type ObjectLocation, writeStream, writeTable } from './cross-reference.js';
import { canExemptStreams, openWithoutPassword, type StringCipher } from './string-cipher.js';

const FILE_NAME = 'content_credential.c2pa';
const LF = 0x0a;

/** The manifest comes between `head` and `tail`. `head` begins with the original bytes. */
export interface PdfLayout {
  head: Buffer;
  tail: Buffer;
}

/** Lays out an incremental update (ISO 32000-2 §7.5.6) around a manifest of this length. */
export type LayOut = (manifestBytes: number) => PdfLayout;

interface OpenPdf {
  catalogRef: PDFRef;
  catalog: PDFDict;
  /** Entries of the trailer that every update has to repeat. */
  trailer: string;
  cipher: StringCipher | undefined;
  nextNumber: number;
}

/**
 * Prepares to append a manifest as an embedded file (C2PA 2.2 §A.4). All original bytes stay unchanged, so signatures
 * over them stay valid.
 */
export async function prepareAppending(pdf: Buffer, now: Date): Promise<LayOut> {
  const crossReference = findCrossReference(pdf);
  const open = await openPdf(pdf, crossReference.size);
  const modified = `D:${now.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
  return (manifestBytes) => {
    const [streamNumber, specNumber] = [open.nextNumber, open.nextNumber + 1];
    const places: ObjectLocation[] = [];
    let head = pdf.at(-1) === LF ? '' : '\n';
    const begin = (number: number, generation: number) => {
      places.push({ number, generation, offset: pdf.length + head.length });
      head += `${number} ${generation} obj\n`;
    };
    begin(specNumber, 0);
    head += `${writeSpec(open, specNumber, streamNumber)}\nendobj\n`;
    const { objectNumber, generationNumber } = open.catalogRef;
    begin(objectNumber, generationNumber);
    head += `${listManifest(open.catalog, PDFRef.of(specNumber), open.cipher === undefined)}\nendobj\n`;
    begin(streamNumber, 0);
    head += `${writeStreamHead(open, manifestBytes, modified)}\nstream\n`;

    let tail = '\nendstream\nendobj\n';
    const offset = pdf.length + head.length + manifestBytes + tail.length;
    const size = specNumber + (crossReference.isTable ? 1 : 2);
    const trailer = `/Size ${size} ${open.trailer} /Prev ${crossReference.offset}`;
    tail += crossReference.isTable
      ? writeTable(places, trailer)
      : writeStream(places, { number: specNumber + 1, generation: 0, offset }, trailer);
    tail += `startxref\n${offset}\n%%EOF\n`;
    return { head: Buffer.concat([pdf, Buffer.from(head, 'latin1')]), tail: Buffer.from(tail, 'latin1') };
  };
}

async function openPdf(pdf: Buffer, size: number): Promise<OpenPdf> {
  const { context } = await load(pdf);
  const { Root: catalogRef, Encrypt, ID, Info } = context.trailerInfo;
  const catalog = context.lookup(catalogRef);
  if (!(catalogRef instanceof PDFRef && catalog instanceof PDFDict)) throw toDamaged();
  const permissions = catalog.lookup(PDFName.of('Perms'));
  if (permissions instanceof PDFDict && permissions.has(PDFName.of('DocMDP')))
    throw new ServiceError(
      'ValidationError',
      'The PDF is certified. Its certification allows no changes, not even attached files.',
    );
  const cipher = Encrypt === undefined ? undefined : toCipher(context.lookup(Encrypt), ID);
  const entries = Object.entries({ Root: catalogRef, Encrypt, ID, Info });
  const trailer = entries
    .flatMap(([name, value]) => (value === undefined ? [] : [`/${name} ${value}`]))
    .join(' ');
  // The parser may overlook object numbers in object streams, and the old /Size may be too small.
  return {
    catalogRef,
    catalog,
    trailer,
    cipher,
    nextNumber: Math.max(context.largestObjectNumber + 1, size),
  };
}

function toCipher(encrypt: PDFObject | undefined, id: unknown): StringCipher {
  if (!(encrypt instanceof PDFDict)) throw toDamaged();
  if (!canExemptStreams(encrypt))
    throw new ServiceError(
      'ValidationError',
      'The PDF has an old encryption, which would also encrypt the manifest. Send the PDF unencrypted or with AES.',
    );
  const cipher = openWithoutPassword(encrypt, toFileId(id));
  if (cipher === undefined)
    throw new ServiceError('ValidationError', 'The PDF is encrypted and needs a password.');
  return cipher;
}

async function load(pdf: Buffer): Promise<PDFDocument> {
  const options = { updateMetadata: false, ignoreEncryption: true };
  const parse = () =>
    PDFDocument.load(pdf, options).catch(() => {
      throw toDamaged(); // every error of the parser means that the PDF is malformed
    });
  const document = await parseWithin(inflationLimit(pdf.length), parse);
  if (document !== undefined) return document;
  throw new ServiceError('ValidationError', 'The streams of the PDF are too large after decompression.');
}

/** In an encrypted document, the strings must be encrypted. A stream can declare that it is not encrypted. */
function writeSpec({ cipher }: OpenPdf, specNumber: number, streamNumber: number): string {
  const plain = Buffer.from(FILE_NAME);
  const name = cipher === undefined ? `(${FILE_NAME})` : `<${cipher(plain, specNumber).toString('hex')}>`;
  const stream = `${streamNumber} 0 R`;
  return `<< /Type /Filespec /AFRelationship /C2PA_Manifest /F ${name} /UF ${name} /EF << /F ${stream} /UF ${stream} >> >>`;
}

function writeStreamHead({ cipher }: OpenPdf, manifestBytes: number, modified: string): string {
  const plain = '/Filter [/Crypt] /DecodeParms [<< /Type /CryptFilterDecodeParms /Name /Identity >>]';
  const parameters =
    cipher === undefined ? `/Params << /Size ${manifestBytes} /ModDate (${modified}) >>` : plain;
  return `<< /Type /EmbeddedFile /Subtype /application#2Fc2pa /Length ${manifestBytes} ${parameters} >>`;
}

function toFileId(id: unknown): Uint8Array {
  const first = id instanceof PDFArray ? id.lookup(0) : undefined;
  return first instanceof PDFString || first instanceof PDFHexString ? first.asBytes() : new Uint8Array();
}

function toDamaged(): ServiceError {
  return new ServiceError('ValidationError', 'The PDF is damaged: it does not parse.');
}
