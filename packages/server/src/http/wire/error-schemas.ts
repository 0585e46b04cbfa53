import { ERROR_CODES, type ErrorCode } from '@colophon/model';
import { z } from 'zod';

export const errorSchema = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      recovery: z.string().optional(),
      details: z.unknown().optional(),
      requestId: z.string(),
    }),
  })
  .meta({ id: 'Error' });

/** Errors of every operation that needs no key. */
const TO_EVERYBODY: ErrorCode[] = ['NotAcceptable', 'TooManyRequests', 'Unavailable', 'Internal'];
const EVERYWHERE: ErrorCode[] = ['Unauthorized', 'Forbidden', ...TO_EVERYBODY];

/**
 * Returns the documented error responses. `Timeout` adds the response for slow work (504). `Unsupported` adds its own
 * response and the one for a slow body (408).
 */
export function errorsOf(...codes: ErrorCode[]): Record<number, typeof errorSchema> {
  return toAnswers([...EVERYWHERE, ...codes]);
}

/** Does the same as `errorsOf` for an operation without a key. */
export function publicErrorsOf(...codes: ErrorCode[]): Record<number, typeof errorSchema> {
  return toAnswers([...TO_EVERYBODY, ...codes]);
}

const [SLOW_BODY, SLOW_WORK] = ERROR_CODES.Timeout.statuses;

function toAnswers(codes: readonly ErrorCode[]): Record<number, typeof errorSchema> {
  const described = new Map<number, string[]>();
  const add = (status: number, code: ErrorCode) =>
    described.set(status, [...(described.get(status) ?? []), `\`${code}\`: ${ERROR_CODES[code].meaning}`]);
  if (codes.includes('Unsupported')) add(SLOW_BODY, 'Timeout');
  for (const code of new Set(codes))
    add(code === 'Timeout' ? SLOW_WORK : ERROR_CODES[code].statuses[0], code);
  return Object.fromEntries(
    [...described].map(([status, meanings]) => [status, errorSchema.describe(meanings.join(' '))]),
  );
}

export const JSON_WRITE_ERRORS = errorsOf(
  'InvalidField',
  'ValidationError',
  'NotFound',
  'Conflict',
  'Unsupported',
  'PayloadTooLarge',
);

export const FILE_RECORDING_ERRORS = errorsOf(
  'MissingField',
  'ValidationError',
  'NotFound',
  'Duplicate',
  'Unsupported',
  'PayloadTooLarge',
);

interface AnswerOfTypes {
  description: string;
  content: Record<string, { schema: z.ZodType }>;
}

/** Removes the types of the responses. A route needs this if it sends finished JSON text or bytes. */
export function readyMade(answers: Record<number, z.ZodType | AnswerOfTypes>): Record<number, unknown> {
  return answers;
}
