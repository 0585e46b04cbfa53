import * as z from 'zod';
import { instantAnswer } from './json-fields.js';

/** Schema of the erasure of personal fields of a record. The digest and the proofs of the record stay valid. */
export const erasureSchema = z
  .object({
    at: instantAnswer,
    fields: z.array(z.string()).meta({ description: 'JSON pointers of the erased fields (RFC 6901)' }),
  })
  .meta({ id: 'Erasure' });

/** The erased personal fields of a record, and the time of the erasure. */
export type Erasure = z.output<typeof erasureSchema>;
