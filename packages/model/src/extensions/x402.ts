import * as z from 'zod';
import { chainId, TOTAL_BASIS_POINTS, writtenInstant } from './extension-fields.js';

/** Key of the extension for a payment over HTTP (x402). */
export const X402_EXTENSION = 'ext:x402@1.0.0';

const requirements = z.looseObject({
  amount: z.string(),
  currency: z.string(),
  network: z.string(),
  chainId,
  recipient: z.string(),
  splitContract: z.string().optional(),
  expiresAt: writtenInstant.optional(),
});

const proof = z.looseObject({
  paymentTxHash: z.string(),
  amount: z.string().optional(),
  currency: z.string().optional(),
  chainId: chainId.optional(),
  paidAt: writtenInstant,
  verified: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the caller verified the payment; default: false' }),
  payer: z.string().optional(),
});

const split = z.looseObject({
  splitBps: z.int().min(0).max(TOTAL_BASIS_POINTS).meta({ description: 'Basis points' }),
  splitContract: z.string().optional(),
  chainId: chainId.optional(),
  paymentAddress: z.string().optional(),
  currency: z.string().optional(),
});

/**
 * `{requirements?, proof?, split?}`; at least one is present. `requirements` is the price of a resource, `proof` is the
 * proof of payment for an action, and `split` is the share of an attribution.
 *
 * Amounts are decimal numbers as strings, in main units of the currency (`1.50`). `splitBps` is in basis points. The
 * service checks only the shape: `verified` is the caller's claim.
 */
export const x402ExtensionSchema = z
  .looseObject({
    requirements: requirements.optional(),
    proof: proof.optional(),
    split: split.optional(),
  })
  .refine((value) => ['requirements', 'proof', 'split'].some((part) => Object.hasOwn(value, part)), {
    message: 'Expected an object with at least one of `requirements`, `proof`, `split`',
  })
  .meta({
    id: 'X402Extension',
    description: 'A payment over HTTP: its price, its proof, or a share of it',
  });

/** A payment over HTTP: its price, its proof, or the share of an attribution. */
export type X402Extension = z.infer<typeof x402ExtensionSchema>;
