import * as z from 'zod';

/** One basis point is 0.01 %. */
export const TOTAL_BASIS_POINTS = 10_000;

/** RFC 3339 with `Z` or an offset. The text stays unchanged. */
export const writtenInstant = z.iso.datetime({ offset: true });

/** EIP-155. */
export const chainId = z.int().positive();

/** A tool or a provider defines the names. */
export const freeMembers = z.record(z.string(), z.unknown());

/** Elements of a list in an extension. */
export const MAX_LISTED = 250;
/** Elements of a list inside an element of another list. */
export const MAX_LISTED_WITHIN = 20;

/** The algorithms, with the names of the ProvenanceKit extension set. */
export const proofAlgorithm = z.enum(['Ed25519', 'ECDSA-secp256k1']);
