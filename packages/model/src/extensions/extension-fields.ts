import * as z from 'zod';

/** All of something, in basis points (1 is a hundredth of a per cent). */
export const TOTAL_BASIS_POINTS = 10_000;

/** An instant inside an extension: RFC 3339 with `Z` or an offset, kept as the caller wrote it. */
export const writtenInstant = z.iso.datetime({ offset: true });

/** The id of a chain (EIP-155). */
export const chainId = z.int().positive();

/** Members that a tool or a provider names; anything in JSON. */
export const freeMembers = z.record(z.string(), z.unknown());

/** Most elements of a list in an extension: of what it lists itself, and of what each of those lists. */
export const MAX_LISTED = 250;
export const MAX_LISTED_WITHIN = 20;

/** How a proof was signed, in the published set's spelling. */
export const proofAlgorithm = z.enum(['Ed25519', 'ECDSA-secp256k1']);
