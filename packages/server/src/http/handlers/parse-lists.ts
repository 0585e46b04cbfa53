import {
  type BatchInput,
  batchInputSchema,
  type DistributionInput,
  distributionInputSchema,
  MAX_BATCH_LIST,
  MAX_SENT_RECORDS,
} from '@colophon/model';
import { z } from 'zod';
import { type Detail, invalidBody, parseBody, toDetails } from '../../body-fault.js';
import { mapYielding } from '../../platform/work/map-yielding.js';
import { countNames } from '../../records/write/batch-kind.js';

/** The names of the members that lead to a list in a body. */
type ListPath = readonly [string] | readonly [string, string];

/** `maxRecords` and `lists` let the service check a part of a list without the rest of the body. */
interface ListsSchema<Body> {
  schema: z.ZodType<Body>;
  maxRecords: number;
  lists: readonly ListPath[];
  /** Short valid values for the required members of an object around the lists, such as `bundle`. */
  required?: Record<string, unknown>;
}

/** `POST /v1/batch`. */
const BATCH: ListsSchema<BatchInput> = {
  schema: batchInputSchema,
  maxRecords: MAX_BATCH_LIST,
  lists: [['entities'], ['actions'], ['attributions']],
};
/** `POST /v1/distribution/preview`. */
const PREVIEW: ListsSchema<DistributionInput> = {
  schema: distributionInputSchema,
  maxRecords: MAX_SENT_RECORDS,
  lists: [['weights'], ['bundle', 'entities'], ['bundle', 'actions'], ['bundle', 'attributions']],
  required: { cid: `sha256:${'0'.repeat(64)}`, actions: [], attributions: [] },
};

/** Number of records that the schema checks without a pause, about a millisecond for typical records. */
const STEP = 16;
/** After this number of problems, the service checks no further records: 16,000 problems in 16 KB took 48 ms. */
const MAX_ISSUES = 100;
/** Maximum number of content identifiers in a step of several records. Some take 20 microseconds each. */
const NAMES_PER_STEP = 256;

/** The records of a list from the position `from`. */
interface Part {
  path: ListPath;
  from: number;
  records: unknown[];
}

export const parseBatch = (body: unknown, signal: AbortSignal): Promise<BatchInput> =>
  parseLists(BATCH, body, signal);
export const parsePreview = (body: unknown, signal: AbortSignal): Promise<DistributionInput> =>
  parseLists(PREVIEW, body, signal);

/**
 * Checks a body by its schema in steps, between which other requests run. Throws the error of a check in one step; only
 * its `details` can differ. The last entry of `details` is `truncated` if the check stopped early.
 */
async function parseLists<Body>(
  { schema, maxRecords, lists, required = {} }: ListsSchema<Body>,
  body: unknown,
  signal: AbortSignal,
): Promise<Body> {
  const parts = lists.flatMap((path) => divide(path, readList(body, path), maxRecords));
  const laterParts = parts.filter(({ from }) => from > 0);
  if (laterParts.length === 0) return parseBody(schema, body);

  // The first step checks the first part of each list, and all other members.
  const beginnings = parts.filter(({ from }) => from === 0);
  const steps = [
    { from: 0, depth: 0, part: beginnings.reduce((whole, part) => withList(whole, part), Object(body)) },
    ...laterParts.map((part) => {
      const depth = part.path.length;
      return { from: part.from, depth, part: withList({ [part.path[0]]: required }, part) };
    }),
  ];
  const issues: z.core.$ZodIssue[] = [];
  let isCut = false;
  const check = ({ from, depth, part }: (typeof steps)[number]) => {
    isCut = issues.length >= MAX_ISSUES;
    if (isCut) return { data: undefined };
    const { data, error } = schema.safeParse(part);
    // zod creates the issues at the first access, so each step reads its own issues.
    issues.push(...(error?.issues.map((issue) => moveIssue(issue, { from, depth })) ?? []));
    return { data };
  };
  const results = await mapYielding(steps, check, signal);
  if (issues.length > 0) throw invalidBody(toListDetails(issues, body, isCut));
  const [first, ...later] = results.map(({ data }) => data as Body);
  for (const [index, { path }] of laterParts.entries())
    readList(first, path).push(...readList(later[index], path));
  return first as Body;
}

function toListDetails(issues: z.core.$ZodIssue[], body: unknown, isCut: boolean): Detail[] {
  const details = toDetails(new z.ZodError(issues), body);
  if (!isCut) return details;
  const message = `the check stopped after ${issues.length} problems`;
  // The last entry states the number of further problems.
  return [...details.slice(0, -1), { path: '', message, truncated: true }];
}

function readList(body: unknown, path: ListPath) {
  return path.reduce((value, name) => Object(value)[name], body) as unknown[];
}

function withList(body: Record<string, unknown>, { path: [name, inner], records }: Part) {
  return { ...body, [name]: inner === undefined ? records : { ...Object(body[name]), [inner]: records } };
}

/**
 * Returns no parts for a value that is not a list, or for a list that is too long. The schema rejects such a value
 * without a check of the records.
 */
function divide(path: ListPath, records: unknown, maxRecords: number): Part[] {
  if (!Array.isArray(records) || records.length > maxRecords) return [];
  const parts: Part[] = [];
  let names = 0;
  for (const [index, record] of records.entries()) {
    const last = parts.at(-1);
    const count = countNames([record]);
    names += count;
    if (last !== undefined && last.records.length < STEP && names <= NAMES_PER_STEP)
      last.records.push(record);
    else {
      parts.push({ path, from: index, records: [record] });
      names = count;
    }
  }
  return parts;
}

/** Returns the issue with its position in the complete list. */
function moveIssue(
  issue: z.core.$ZodIssue,
  { from, depth }: { from: number; depth: number },
): z.core.$ZodIssue {
  const at = issue.path[depth];
  return typeof at === 'number' ? { ...issue, path: issue.path.with(depth, at + from) } : issue;
}
