import { PDFArray, PDFDict, PDFHexString, PDFName, type PDFObject, type PDFRef, PDFString } from 'pdf-lib';

const RELATIONSHIP = PDFName.of('AFRelationship');
const MANIFEST = PDFName.of('C2PA_Manifest');
const FILES = PDFName.of('AF');
const NAMES = PDFName.of('Names');
const EMBEDDED = PDFName.of('EmbeddedFiles');
const KIDS = PDFName.of('Kids');
const TITLE = 'Content Credentials';

/** The manifest at `spec` replaces an earlier one. With `mayMoveNames`, the name dictionary lists the manifest too. */
export function listManifest(catalog: PDFDict, spec: PDFRef, mayMoveNames: boolean): PDFDict {
  const updated = catalog.clone(catalog.context);
  updated.set(FILES, toFiles(catalog, spec));
  if (mayMoveNames) updated.set(NAMES, toNames(catalog, spec));
  return updated;
}

function toFiles(catalog: PDFDict, spec: PDFRef): PDFArray {
  const files = catalog.context.obj([]);
  const earlier = catalog.lookup(FILES);
  if (earlier instanceof PDFArray)
    for (const file of earlier.asArray()) if (!isManifest(catalog, file)) files.push(file);
  files.push(spec);
  return files;
}

/** Puts all embedded files into one sorted leaf (ISO 32000-2 §7.9.6). */
function toNames(catalog: PDFDict, spec: PDFRef): PDFDict {
  const { context } = catalog;
  const earlier = catalog.lookup(NAMES);
  const names = earlier instanceof PDFDict ? earlier.clone(context) : context.obj({});
  const tree = names.lookup(EMBEDDED);
  const entries = tree instanceof PDFDict ? [...readNameTree(tree, new Set())] : [];
  const others = entries.filter(([, file]) => !isManifest(catalog, file));
  const all: [PDFObject, PDFObject][] = [...others, [PDFString.of(TITLE), spec]];
  all.sort(([a], [b]) => (toText(catalog, a) < toText(catalog, b) ? -1 : 1));
  const leaf = context.obj([]);
  for (const entry of all) for (const item of entry) leaf.push(item);
  names.set(EMBEDDED, context.obj({ Names: leaf }));
  return names;
}

function* readNameTree(node: PDFDict, seen: Set<PDFDict>): Generator<[PDFObject, PDFObject]> {
  if (seen.has(node)) return;
  seen.add(node);
  const names = node.lookup(NAMES);
  if (names instanceof PDFArray)
    for (let index = 0; index + 1 < names.size(); index += 2) yield [names.get(index), names.get(index + 1)];
  const kids = node.lookup(KIDS);
  if (!(kids instanceof PDFArray)) return;
  for (let index = 0; index < kids.size(); index += 1) {
    const kid = kids.lookup(index);
    if (kid instanceof PDFDict) yield* readNameTree(kid, seen);
  }
}

function isManifest({ context }: PDFDict, file: PDFObject): boolean {
  const spec = context.lookup(file);
  return spec instanceof PDFDict && spec.get(RELATIONSHIP) === MANIFEST;
}

function toText({ context }: PDFDict, key: PDFObject): string {
  const value = context.lookup(key);
  return value instanceof PDFString || value instanceof PDFHexString ? value.asString() : String(value);
}
