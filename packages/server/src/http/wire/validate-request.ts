import type { FastifySchemaCompiler } from 'fastify';
import type { FastifyRouteSchemaDef } from 'fastify/types/schema.js';
import type { z } from 'zod';
import { bodyFault, toDetails } from '../../body-fault.js';
import { ServiceError } from '../../errors.js';

/** Responds with 422 to an invalid body, and with 400 to any other invalid part. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (data) => {
    const parsed = schema.safeParse(data);
    // If this returned the headers, Fastify would copy them at every access.
    if (parsed.success) return httpPart === 'headers' || { value: parsed.data };
    return {
      error:
        httpPart === 'body'
          ? bodyFault(parsed.error, data)
          : partFault(httpPart ?? 'request', parsed.error, data),
    };
  };

/** Validates all parts except the body. */
export const passBody = <Schema>(route: FastifyRouteSchemaDef<Schema>) =>
  route.httpPart === 'body'
    ? (value: unknown) => ({ value })
    : validatorCompiler(route as FastifyRouteSchemaDef<z.ZodType>);

function partFault(part: string, error: z.ZodError, input: unknown): ServiceError {
  const details = toDetails(error, input);
  const [first] = details;
  return new ServiceError('InvalidField', `${part} ${first?.path}: ${first?.message}`, { details });
}
