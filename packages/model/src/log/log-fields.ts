import * as z from 'zod';
import { fromBase64 } from '../base64.js';
import { isHash } from './tree-hash.js';

/** Enough for a tree of 2^53 leaves. */
const MAX_PATH_LENGTH = 53;

/** A hash of the log: 32 bytes in base64 with padding. */
export const logHashSchema = z
  .string()
  .refine((text) => isHash(fromBase64(text)), 'Expected base64 of 32 bytes')
  .meta({ description: 'SHA-256, base64', examples: ['47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='] });

/** The hashes of a proof, from a leaf to the root. */
export const logPathSchema = z.array(logHashSchema).max(MAX_PATH_LENGTH);
