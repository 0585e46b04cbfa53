import type { SearchResult } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { isDescribable, kindOf, MAX_DESCRIBED_BYTES } from '../../search/descriptor.js';
import { readExact } from '../../search/descriptors.sql.js';
import type { RecordNeeds } from '../needs.js';
import { requireContent } from '../read-content.js';
import { describeBytes, describeStored } from './describe-content.js';
import { findMatches, type JudgedMatch } from './find-matches.js';
import type { StagedQuery } from './stage-query.js';

/** The method of a match whose bytes are the same. */
export const EXACT_METHOD = 'sha256';

/** Which of the project's content a file is: the same bytes first, then what it was altered from. */
export async function searchFile(
  needs: RecordNeeds,
  projectId: string,
  { file, limit }: { file: StagedQuery; limit: number },
): Promise<SearchResult> {
  const { cid, aliases } = file.digests;
  const exact = await readExact(needs.reads, projectId, [cid, ...aliases]);
  if (exact !== undefined)
    return { verdict: 'exact', matches: [{ ...exact, score: 1, method: EXACT_METHOD }] };
  const description = await describeFile(needs, file);
  const found = await findMatches({ db: needs.reads, matching: needs.matching }, projectId, {
    described: description,
  });
  return toResult(found, limit);
}

/** What the project's other content is like this one. */
export async function listSimilar(
  needs: RecordNeeds,
  projectId: string,
  { cid, limit }: { cid: string; limit: number },
): Promise<SearchResult> {
  const content = await requireContent({ ...needs, provenance: needs.reads }, projectId, cid);
  const description = await describeStored(needs, { projectId, ...content });
  if (description.kind === 'nothing') return { verdict: 'no-match', matches: [] };
  const found = await findMatches({ db: needs.reads, matching: needs.matching }, projectId, {
    described: description.described,
    except: content.cid,
  });
  return toResult(found, limit);
}

function toResult(found: readonly JudgedMatch[], limit: number): SearchResult {
  const [best] = found;
  return {
    verdict: best?.judgement ?? 'no-match',
    matches: found.slice(0, limit).map(({ match }) => match),
  };
}

async function describeFile({ matching }: RecordNeeds, { mimeType, digests, bytes }: StagedQuery) {
  const kind = kindOf(mimeType);
  if (kind === undefined || !matching.kinds.has(kind))
    throw new ServiceError('Unsupported', `Content of type ${mimeType} is found by its very bytes alone.`, {
      recovery:
        'Send a picture (JPEG, PNG, WebP, GIF, TIFF, AVIF, HEIC) or a text, or sound where the operator installed fpcalc.',
    });
  if (bytes === undefined)
    throw new ServiceError(
      'PayloadTooLarge',
      `Content of more than ${MAX_DESCRIBED_BYTES} bytes is found by its very bytes alone.`,
    );
  if (!isDescribable(kind, digests.sizeBytes)) throw indescribable('It is too small to tell it by anything.');
  const description = await describeBytes(matching.pool, { kind, mediaType: mimeType, bytes });
  if (description.kind === 'nothing') throw indescribable(description.reason);
  return description.described;
}

function indescribable(reason: string): ServiceError {
  return new ServiceError('ValidationError', `The file cannot be looked for. ${reason}`, {
    recovery: 'Send another copy of the content.',
    details: [{ path: 'file', message: reason }],
  });
}
