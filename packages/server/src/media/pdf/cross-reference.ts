import { ServiceError } from '../../errors.js';

/** Number of bytes of a trailer that the search for `/Size` reads. */
const TRAILER_BYTES = 8192;
/** The widths of an entry's fields in a cross-reference stream: type, offset, generation. */
const STREAM_WIDTHS = [1, 4, 2] as const;
const ENTRY_BYTES = 7;

/** The last cross-reference section of a file (ISO 32000-2 §7.5.4, §7.5.8). */
export interface CrossReference {
  offset: number;
  /** Whether the section is a plain table. An update must use the same form. */
  isTable: boolean;
  /** One more than the highest object number of the file. */
  size: number;
}

export interface ObjectLocation {
  number: number;
  generation: number;
  offset: number;
}

export function findCrossReference(pdf: Buffer): CrossReference {
  const end = pdf.subarray(Math.max(0, pdf.lastIndexOf('startxref'))).toString('latin1');
  const offset = Number(/^startxref\s+(\d+)\s/.exec(end)?.[1] ?? Number.NaN);
  const start = pdf.subarray(offset, offset + 32).toString('latin1');
  const isTable = start.startsWith('xref');
  const trailerAt = isTable ? pdf.indexOf('trailer', offset) : offset;
  const trailer = pdf.subarray(trailerAt, trailerAt + TRAILER_BYTES).toString('latin1');
  const size = Number(/\/Size\s+(\d+)/.exec(trailer)?.[1] ?? 0);
  if (Number.isNaN(offset) || size === 0 || !(isTable || /^\d+\s+\d+\s+obj/.test(start)))
    throw new ServiceError(
      'ValidationError',
      'The PDF is damaged: `startxref` does not point to a cross-reference table.',
    );
  return { offset, isTable, size };
}

/** `trailer`: the entries of the trailer dictionary. */
export function writeTable(places: ObjectLocation[], trailer: string): string {
  const sections = inOrder(places).map(({ number, generation, offset }) => {
    const entry = `${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} n `;
    return `${number} 1\n${entry}\n`;
  });
  return `xref\n${sections.join('')}trailer\n<< ${trailer} >>\n`;
}

/** The section also lists the stream object `own`. */
export function writeStream(places: ObjectLocation[], own: ObjectLocation, trailer: string): string {
  const all = inOrder([...places, own]);
  const data = Buffer.alloc(all.length * ENTRY_BYTES);
  all.forEach(({ generation, offset }, index) => {
    data[index * ENTRY_BYTES] = 1;
    data.writeUInt32BE(offset, index * ENTRY_BYTES + 1);
    data.writeUInt16BE(generation, index * ENTRY_BYTES + 5);
  });
  const numbers = all.map(({ number }) => `${number} 1`).join(' ');
  const dictionary = `/Type /XRef /W [${STREAM_WIDTHS.join(' ')}] /Index [${numbers}] /Length ${data.length}`;
  return `${own.number} 0 obj\n<< ${dictionary} ${trailer} >>\nstream\n${data.toString('latin1')}\nendstream\nendobj\n`;
}

function inOrder(places: ObjectLocation[]): ObjectLocation[] {
  return places.toSorted((a, b) => a.number - b.number);
}
