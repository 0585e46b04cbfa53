import type { GivenVector, SearchResult } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import type { Queryable } from '../../platform/db/database.js';
import {
  readDimensions,
  readExact,
  toDescriptorRow,
  writeModelDescriptor,
} from '../../search/descriptors.sql.js';
import { findNearest } from '../../search/find-nearest.js';
import { normalise } from '../../search/vector.js';
import type { RecordDeps } from '../deps.js';
import { absent } from '../read/absent.js';
import { assertMayDescribe } from '../read/bound-key.js';
import { indexDescriptor } from './keep-descriptor.js';
import { toVerdict } from './search-text.js';

/** Only vectors of the same model can be compared. */
export interface ModelVector {
  model: string;
  vector: readonly number[];
}

const METHOD_PREFIX = 'given/';
/** Maximum number of models that an error names. */
const MAX_NAMED = 100;

/** Replaces an earlier vector of the same model. Throws `Forbidden` for a new model beyond `maxModels`. */
export async function giveVector(
  deps: RecordDeps,
  projectId: string,
  { cid, ...given }: ModelVector & { cid: string },
): Promise<GivenVector> {
  const { provenance, matching } = deps;
  await assertMayDescribe(deps, projectId, [{ resourceCid: cid }]);
  const content = await readExact(provenance, projectId, [cid]);
  if (content === undefined) throw absent('content', cid);
  const { method, vector } = await readGiven(provenance, projectId, given);
  const row = toDescriptorRow(content.cid, { method, vector, evidence: new Uint8Array() });
  const { maxModels, index } = matching;
  const methods = await writeModelDescriptor(provenance, projectId, { row, maxModels });
  if (methods !== undefined) throw tooManyModels(given.model, methods, maxModels);
  await indexDescriptor({ db: provenance, index }, projectId, row);
  return { cid: content.cid, method, dimensions: vector.length };
}

export async function searchVector(
  { reads, scheduler, matching: { index } }: RecordDeps,
  projectId: string,
  {
    limit,
    minScore,
    signal,
    ...given
  }: ModelVector & { limit: number; minScore: number; signal: AbortSignal },
): Promise<SearchResult> {
  return scheduler.run({ projectId, kind: 'search', signal }, async (running) => {
    const { method, vector } = await readGiven(reads, projectId, given);
    const described = { method, vector, evidence: new Uint8Array(), turned: [vector] };
    const options = { described, limit, signal: running };
    const nearest = await findNearest({ db: reads, index }, projectId, options);
    return toVerdict(nearest, { method, minScore });
  });
}

/** All vectors of one model in a project must have the same length. */
async function readGiven(
  db: Queryable,
  projectId: string,
  { model, vector: numbers }: ModelVector,
): Promise<{ method: string; vector: Float32Array }> {
  const method = `${METHOD_PREFIX}${model}`;
  const dimensions = await readDimensions(db, projectId, method);
  if (dimensions !== undefined && dimensions !== numbers.length)
    throw invalid(
      `It has ${numbers.length} numbers, but vectors of ${model} in this project have ${dimensions}`,
    );
  const vector = Float32Array.from(normalise(numbers, 1));
  // The sum of the squares can also overflow or become zero.
  if (!vector.every(Number.isFinite) || !vector.some((value) => value !== 0))
    throw invalid('It has no direction: its numbers are all zero or too small, or some are too large');
  return { method, vector };
}

function tooManyModels(model: string, methods: readonly string[], maxModels: number): ServiceError {
  const models = methods.slice(0, MAX_NAMED).map((method) => method.slice(METHOD_PREFIX.length));
  const more = methods.length > MAX_NAMED ? ' and others' : '';
  return new ServiceError(
    'Forbidden',
    `This project cannot have vectors of ${model}. It already has vectors of ${maxModels} models, the limit of MAX_PROJECT_MODELS: ${models.join(', ')}${more}.`,
    {
      recovery: 'Use one of these models, or ask the operator to raise MAX_PROJECT_MODELS.',
      details: { limit: 'MAX_PROJECT_MODELS', value: maxModels, models },
    },
  );
}

function invalid(message: string): ServiceError {
  return new ServiceError('ValidationError', `The vector cannot be compared. ${message}.`, {
    recovery: 'Send the numbers that the model returned, unchanged. Use another name for another model.',
    details: [{ path: 'vector', message }],
  });
}
