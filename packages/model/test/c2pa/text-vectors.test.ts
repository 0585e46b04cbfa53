import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { locateTextManifest, type TextManifest } from '../../src/index.js';

interface Vector {
  id: string;
  /** UTF-8 as hex. For `embed`, this is the expected text. */
  text: string;
  /** As hex. */
  store: string;
  status: string;
}

const { vectors } = JSON.parse(
  readFileSync(new URL('../vectors/c2pa-text-a8.json', import.meta.url), 'utf8'),
) as { vectors: Vector[] };

/** Our reader is stricter for these vectors: it reports a damaged or empty wrapper. */
const STRICTER = ['X0007', 'X0021', 'X0022'];

function describeResult(found: TextManifest): string {
  if (found.kind === 'store') return `OK ${Buffer.from(found.store).toString('hex')}`;
  return found.kind === 'damaged' ? found.code : found.kind.toUpperCase();
}

describe('the text vectors of another implementation', () => {
  it.each(vectors.map((vector) => [vector.id, vector] as const))(
    'give the stated result, or an error if our reader is stricter: %s',
    (id, vector) => {
      const found = locateTextManifest(Buffer.from(vector.text, 'hex'), { isHtml: false });
      const expected = vector.status === 'OK' ? `OK ${vector.store}` : vector.status;
      expect(describeResult(found)).toBe(STRICTER.includes(id) ? 'manifest.text.corruptedWrapper' : expected);
    },
  );
});
