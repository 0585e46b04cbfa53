import {
  composeIscc,
  createDataHasher,
  createInstanceHasher,
  describeWork,
  encodeIsccUnit,
  type IsccMetadata,
  type IsccUnit,
} from '@colophon/model';
import { SNIFFED_BYTES, sniffMediaType } from '../media/sniff-media-type.js';
import { type Decoders, MAX_CONTENT_BYTES, readContentUnit } from '../search/iscc/content-unit.js';

/** Number of bits of each unit in the result, as in an ISCC-CODE. */
const UNIT_BITS = 64;

export interface ContentIscc {
  /** The ISCC-CODE: all units under one header. */
  iscc: string;
  /** Meta-Code (with a title), Content-Code (if the kind of content has one), Data-Code, Instance-Code. */
  units: string[];
  /** The BLAKE3 digest of the bytes as a multihash in hex. */
  datahash: string;
  sizeBytes: number;
  mediaType: string;
  /** The reason when `units` has no Content-Code. */
  withoutContentCode?: string;
}

interface IsccOptions extends Decoders {
  /** Adds a Meta-Code. */
  work?: IsccMetadata | undefined;
}

/** Holds content of up to 64 MiB in memory. Larger content gets no Content-Code. */
export async function computeIscc(
  content: AsyncIterable<Uint8Array>,
  { work, ...decoders }: IsccOptions = {},
): Promise<ContentIscc> {
  const { data, instance, head, kept, sizeBytes } = await readAll(content);
  const mediaType = await sniffMediaType(head);
  const found =
    kept === undefined
      ? { reason: `Content over ${MAX_CONTENT_BYTES} bytes gets no Content-Code.` }
      : await readContentUnit({ bytes: kept, mediaType }, decoders);
  const units: IsccUnit[] = [
    ...(work === undefined ? [] : [describeWork(work).unit]),
    ...('unit' in found ? [found.unit] : []),
    data,
    instance,
  ];
  return {
    iscc: composeIscc(units),
    units: units.map((unit) => encodeIsccUnit(unit, UNIT_BITS)),
    datahash: `1e20${Buffer.from(instance.digest).toString('hex')}`,
    sizeBytes,
    mediaType,
    ...('reason' in found ? { withoutContentCode: found.reason } : {}),
  };
}

async function readAll(content: AsyncIterable<Uint8Array>) {
  const [data, instance] = [createDataHasher(), createInstanceHasher()];
  let chunks: Uint8Array[] = [];
  let head: Uint8Array = new Uint8Array();
  let sizeBytes = 0;
  for await (const chunk of content) {
    data.update(chunk);
    instance.update(chunk);
    sizeBytes += chunk.length;
    if (head.length < SNIFFED_BYTES)
      head = Buffer.concat([head, chunk.subarray(0, SNIFFED_BYTES - head.length)]);
    if (sizeBytes <= MAX_CONTENT_BYTES) chunks.push(chunk);
    else chunks = [];
  }
  const kept = sizeBytes <= MAX_CONTENT_BYTES ? Buffer.concat(chunks) : undefined;
  return { data: data.finish(), instance: instance.finish(), head, kept, sizeBytes };
}
