import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { ServiceError } from '../errors.js';

/** Parses a part of the request by its zod schema. A faulty body is 422, anything else that is faulty is 400. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (data) => {
    const parsed = schema.safeParse(data);
    if (parsed.success) return { value: parsed.data };
    return {
      error: httpPart === 'body' ? bodyFault(parsed.error) : partFault(httpPart ?? 'request', parsed.error),
    };
  };

/** 422 `ValidationError`; details name every fault with its path. */
export function bodyFault(error: z.ZodError): ServiceError {
  const details = error.issues.flatMap(toDetails);
  const [first] = details;
  return new ServiceError(
    'ValidationError',
    `The body is not valid: ${first?.path || 'body'}: ${first?.message}`,
    {
      details,
    },
  );
}

function partFault(part: string, error: z.ZodError): ServiceError {
  const details = error.issues.flatMap(toDetails);
  const [first] = details;
  return new ServiceError('InvalidField', `${part} ${first?.path}: ${first?.message}`, { details });
}

function toDetails(issue: z.core.$ZodIssue): { path: string; message: string }[] {
  const path = issue.path.map(String).join('.');
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
  return issue.keys.map((key) => ({
    path: path === '' ? key : `${path}.${key}`,
    message: 'This field is not known',
  }));
}
