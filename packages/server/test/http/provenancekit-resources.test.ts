import { LICENSE_EXTENSION } from '@colophon/model';
import { expect, it } from 'vitest';
import { toProvenanceKitResources } from '../../src/http/provenancekit/record-schemas.js';

const CONTENTS = 300;
const ATTRIBUTIONS = 900;

it('a ProvenanceKit bundle takes licences from attributions, and reads each attribution at most twice', () => {
  let reads = 0;
  const attributions = Array.from({ length: ATTRIBUTIONS }, (_, place) => ({
    get resourceCid() {
      reads += 1;
      return `cid-${place % CONTENTS}`;
    },
    extensions: { [LICENSE_EXTENSION]: { type: `license-${place}` } },
  }));
  const resources = Array.from({ length: CONTENTS + 1 }, (_, place) => ({
    ...{ cid: `cid-${place}`, type: 'text', locations: [] },
    ...{ createdBy: 'ann', extensions: {} },
  }));
  const converted = toProvenanceKitResources(resources as never, attributions);
  expect(reads).toBeLessThanOrEqual(2 * ATTRIBUTIONS);
  expect(converted[7]?.extensions).toEqual({ [LICENSE_EXTENSION]: { type: `license-${2 * CONTENTS + 7}` } });
  expect(converted[CONTENTS]?.extensions).toEqual({});
});
