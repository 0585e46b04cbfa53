import * as z from 'zod';

/** The whole in basis points (1 is a hundredth of a per cent). */
export const TOTAL_BASIS_POINTS = 10_000;

/** An instant inside an extension: RFC 3339 with `Z` or an offset, unchanged. */
export const writtenInstant = z.iso.datetime({ offset: true });

/** The id of a chain (EIP-155). */
export const chainId = z.int().positive();

/** Members named by a tool or a provider; any JSON. */
export const freeMembers = z.record(z.string(), z.unknown());

/** Most elements of a list in an extension, and of each list inside such a list. */
export const MAX_LISTED = 250;
export const MAX_LISTED_WITHIN = 20;

/** The signature algorithm, in the spelling of the published set. */
export const proofAlgorithm = z.enum(['Ed25519', 'ECDSA-secp256k1']);
