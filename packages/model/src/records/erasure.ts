import * as z from 'zod';
import { instantAnswer } from './json-fields.js';

/** Says of a record that personal fields of it were erased. Its digest and its proofs hold as before. */
export const erasureSchema = z
  .object({
    at: instantAnswer,
    fields: z.array(z.string()).meta({ description: 'JSON pointers of what is gone (RFC 6901)' }),
  })
  .meta({ id: 'Erasure' });

/** Which personal fields of a record were erased, and when. */
export type Erasure = z.output<typeof erasureSchema>;
