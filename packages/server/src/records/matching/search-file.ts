import type { SearchResult } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { isDescribable, kindOf, MAX_DESCRIBED_BYTES } from '../../search/descriptor.js';
import { readExact } from '../../search/descriptors.sql.js';
import type { SearchPlace } from '../../search/search-pool.js';
import type { RecordNeeds } from '../needs.js';
import { requireContent } from '../read-content.js';
import { describeBytes, describeStored, memoryToDescribe } from './describe-content.js';
import { findMatches, type JudgedMatch } from './find-matches.js';
import type { StagedQuery } from './stage-query.js';

/** The method of a match whose bytes are the same. */
export const EXACT_METHOD = 'sha256';

/** Which of the project's content a file is: the same bytes first, then what it was altered from. */
export async function searchFile(
  needs: RecordNeeds,
  projectId: string,
  { file, limit, signal }: { file: StagedQuery; limit: number; signal: AbortSignal },
): Promise<SearchResult> {
  const { cid, aliases } = file.digests;
  const exact = await readExact(needs.reads, projectId, [cid, ...aliases]);
  if (exact !== undefined)
    return { verdict: 'exact', matches: [{ ...exact, score: 1, method: EXACT_METHOD }] };
  const found = await inTurn(
    needs,
    { projectId, signal, sizeBytes: file.digests.sizeBytes },
    async (place) => {
      const described = await describeFile(needs, file, place);
      return findMatches({ db: needs.reads, matching: needs.matching }, projectId, { described, place });
    },
  );
  return toResult(found, limit);
}

/** What the project's other content is like this one. */
export async function listSimilar(
  needs: RecordNeeds,
  projectId: string,
  { cid, limit, signal }: { cid: string; limit: number; signal: AbortSignal },
): Promise<SearchResult> {
  const content = await requireContent({ ...needs, provenance: needs.reads }, projectId, cid);
  const found = await inTurn(needs, { projectId, signal, sizeBytes: content.sizeBytes }, async (place) => {
    const description = await describeStored(needs, { projectId, ...content }, place);
    if (description.kind === 'nothing') return [];
    const query = { described: description.described, except: content.cid, place };
    return findMatches({ db: needs.reads, matching: needs.matching }, projectId, query);
  });
  return toResult(found, limit);
}

/** Runs a search when it is the project's turn. */
function inTurn(
  { scheduler }: RecordNeeds,
  { sizeBytes, ...asked }: { projectId: string; signal: AbortSignal; sizeBytes: number },
  search: (place: SearchPlace) => Promise<JudgedMatch[]>,
): Promise<JudgedMatch[]> {
  const turn = { ...asked, kind: 'search', memoryBytes: memoryToDescribe(sizeBytes) } as const;
  return scheduler.run(turn, (signal, hold) => search({ signal, hold }));
}

function toResult(found: readonly JudgedMatch[], limit: number): SearchResult {
  const [best] = found;
  return {
    verdict: best?.judgement ?? 'no-match',
    matches: found.slice(0, limit).map(({ match }) => match),
  };
}

async function describeFile(
  { matching }: RecordNeeds,
  { mimeType, digests, bytes }: StagedQuery,
  place: SearchPlace,
) {
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
  const description = await describeBytes(matching.pool, { kind, mediaType: mimeType, bytes }, place);
  if (description.kind === 'nothing') throw indescribable(description.reason);
  return description.described;
}

function indescribable(reason: string): ServiceError {
  return new ServiceError('ValidationError', `The file cannot be looked for. ${reason}`, {
    recovery: 'Send another copy of the content.',
    details: [{ path: 'file', message: reason }],
  });
}
