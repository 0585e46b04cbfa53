import { readFile, rename, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

/** `all`: without ADMIN_PORT. `callers` and `operators`: on PORT and on ADMIN_PORT. */
export type ApiPart = 'all' | 'callers' | 'operators';

/** `compat`: with the routes for the ProvenanceKit SDK (COMPAT_ROUTES). */
export interface DescribedRoutes {
  part: ApiPart;
  compat: boolean;
}

/** ADMIN_PORT never has routes for the SDK. */
export const DESCRIBED_ROUTES: readonly DescribedRoutes[] = [
  { part: 'all', compat: true },
  { part: 'all', compat: false },
  { part: 'callers', compat: true },
  { part: 'callers', compat: false },
  { part: 'operators', compat: false },
];

export interface RenderedDocuments {
  /** The names, in the order in which the build wrote the documents. */
  names: readonly string[];
  read(name: string): Promise<string>;
}

interface PackedDocument extends DescribedRoutes {
  name: string;
  text: string;
}

export const DOCUMENTS_FILE = new URL('documents.bin', import.meta.url);

/** Size of the number in front of the list of documents. */
const LENGTH_BYTES = 4;
/** At a higher quality, the build takes ten times as long. */
const BROTLI_QUALITY = 9;

type ListedDocument = Omit<PackedDocument, 'text'> & { sizeBytes: number };

/** Writes the length of a list, the list as JSON, and the documents in Brotli in the order of the list. */
export async function packDocuments(file: URL, documents: readonly PackedDocument[]): Promise<void> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const packed = await Promise.all(
    documents.map(({ text }) => promisify(brotliCompress)(Buffer.from(text), { params })),
  );
  const list = documents.map(
    ({ text: _, ...of }, place): ListedDocument => ({ ...of, sizeBytes: packed[place]?.length ?? 0 }),
  );
  const head = Buffer.from(JSON.stringify(list));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.length);
  const fresh = new URL(`${file.href}.new`);
  await writeFile(fresh, Buffer.concat([length, head, ...packed]));
  await rename(fresh, file);
}

/** Reads the file once, so a later build does not change the documents. Undefined when the file does not exist. */
export async function openDocuments(
  file: URL,
  { part, compat }: DescribedRoutes,
): Promise<RenderedDocuments | undefined> {
  const bytes = await readIfPresent(file);
  if (bytes === undefined) return undefined;
  let at = LENGTH_BYTES + bytes.readUInt32BE();
  const list = JSON.parse(String(bytes.subarray(LENGTH_BYTES, at))) as ListedDocument[];
  const documents = new Map<string, Buffer>();
  for (const { name, sizeBytes, ...of } of list) {
    // A copy, so that the bytes of the other documents do not stay in memory.
    if (of.part === part && of.compat === compat)
      documents.set(name, Buffer.from(bytes.subarray(at, at + sizeBytes)));
    at += sizeBytes;
  }
  return {
    names: [...documents.keys()],
    async read(name) {
      const packed = documents.get(name);
      if (packed === undefined)
        throw new Error(`The build has not rendered the document ${name}. Build again.`);
      return String(await promisify(brotliDecompress)(packed));
    },
  };
}

async function readIfPresent(file: URL): Promise<Buffer | undefined> {
  return readFile(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
}
