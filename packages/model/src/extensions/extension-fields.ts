import * as z from 'zod';

/** 100 % in basis points. One basis point is 0.01 %. */
export const TOTAL_BASIS_POINTS = 10_000;

/** A time inside an extension: RFC 3339 with `Z` or an offset. The text stays unchanged. */
export const writtenInstant = z.iso.datetime({ offset: true });

/** The id of a chain (EIP-155). */
export const chainId = z.int().positive();

/** Members with names that a tool or a provider defines. The values are any JSON. */
export const freeMembers = z.record(z.string(), z.unknown());

/** Maximum number of elements of a list in an extension. */
export const MAX_LISTED = 250;
/** Maximum number of elements of a list inside an element of another list. */
export const MAX_LISTED_WITHIN = 20;

/** The signature algorithm, with the names of the ProvenanceKit extension set. */
export const proofAlgorithm = z.enum(['Ed25519', 'ECDSA-secp256k1']);
