import { constants, sign } from 'node:crypto';
import { type CborValue, encodeCbor, toCoseSign1, toSigStructure } from '@colophon/model/cose';
import { ServiceError } from '../../errors.js';
import type { SigningAlgorithm } from '../media-engine.js';
import { SIGNING_ALGORITHMS, toKeyKind } from './algorithms.js';
import type { CheckedSigner } from './check-signer.js';

/** Header parameters of RFC 9052 §3.1, RFC 9360 §2. */
const ALG = 1;
const X5CHAIN = 33;
/** Reserved for a time-stamp with its certificates. Public services need 3 to 7 KiB. */
const TIME_STAMP_BYTES = 10 * 1024;

/** Returns the DER of a time-stamp token (RFC 3161 §2.4.2). */
export type RequestTimeStamp = (message: Uint8Array) => Promise<Uint8Array>;

export interface CoseSigner {
  algorithm: SigningAlgorithm;
  /** The length of every result of `sign`, in bytes. */
  reserveBytes: number;
  /** Returns a COSE_Sign1 over the payload (C2PA 2.2 §13.2). A draft lacks the time-stamp, but has the same length. */
  sign(call: { payload: Uint8Array; isDraft: boolean }): Promise<Uint8Array>;
}

type Entry = readonly [name: string, value: CborValue];

export function createCoseSigner(
  signer: CheckedSigner,
  options: { algorithm?: SigningAlgorithm | undefined; requestTimeStamp?: RequestTimeStamp | undefined } = {},
): CoseSigner {
  const algorithm = chooseAlgorithm(signer, options.algorithm);
  const protectedHeader = encodeCbor(
    new Map<number, CborValue>([
      [ALG, SIGNING_ALGORITHMS[algorithm].coseId],
      [X5CHAIN, toX5Chain(signer)],
    ]),
  );
  const assemble = (signature: Uint8Array, unprotected: Entry[]) =>
    toCoseSign1([protectedHeader, new Map(unprotected), null, signature]);
  const signOver = (payload: Uint8Array) =>
    signRaw({ signer, algorithm }, toSigStructure('Signature1', protectedHeader, payload));

  // Only a signature with a time-stamp gets padding. No signature covers padding, so anybody could change it.
  const bareBytes = assemble(signOver(new Uint8Array()), []).length;
  const { requestTimeStamp } = options;
  const reserveBytes = bareBytes + (requestTimeStamp === undefined ? 0 : TIME_STAMP_BYTES);
  return {
    algorithm,
    reserveBytes,
    async sign({ payload, isDraft }) {
      const signature = signOver(payload);
      if (requestTimeStamp === undefined) return assemble(signature, []);
      if (isDraft) return padTo(reserveBytes, (pads) => assemble(signature, pads));
      // C2PA 2.2 §10.3.2.5.
      const message = toSigStructure('CounterSignature', protectedHeader, encodeCbor(signature));
      const stamp = toTimeStampEntry(await requestTimeStamp(message));
      return padTo(reserveBytes, (pads) => assemble(signature, [stamp, ...pads]));
    },
  };
}

function chooseAlgorithm(signer: CheckedSigner, wanted = signer.algorithm): SigningAlgorithm {
  const kind = toKeyKind(signer.key);
  if (SIGNING_ALGORITHMS[wanted].keyKind === kind) return wanted;
  const message = `The signing key is of the kind ${kind}, which ${wanted} does not use.`;
  throw new ServiceError('ValidationError', message, { details: [{ path: 'algorithm', message }] });
}

/** One certificate is a byte string, several are an array (RFC 9360 §2). */
function toX5Chain({ certificates }: CheckedSigner): CborValue {
  const chain = certificates.map(({ raw }) => raw);
  return chain.length === 1 && chain[0] !== undefined ? chain[0] : chain;
}

/** ECDSA as r|s and PSS with a salt of the digest's length (RFC 9053 §2.1, RFC 8230 §2). */
function signRaw(by: { signer: CheckedSigner; algorithm: SigningAlgorithm }, data: Uint8Array): Buffer {
  return sign(SIGNING_ALGORITHMS[by.algorithm].digest, data, {
    key: by.signer.key,
    ...(by.algorithm.startsWith('es') ? { dsaEncoding: 'ieee-p1363' as const } : {}),
    ...(by.algorithm.startsWith('ps')
      ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
      : {}),
  });
}

/** The unprotected header of a version 2 time-stamp (C2PA 2.2 §10.3.2.5). */
function toTimeStampEntry(token: Uint8Array): Entry {
  return ['sigTst2', new Map([['tstTokens', [new Map([['val', token]])]]])];
}

/** The encoding of a length grows in steps, so some sizes need two paddings (C2PA 2.2 §10.3.2.1). */
function padTo(size: number, assemble: (pads: Entry[]) => Uint8Array): Uint8Array {
  const pad = (name: string, length: number): Entry => [name, new Uint8Array(length)];
  const missing = size - assemble([pad('pad', 0)]).length;
  const lengths = Array.from({ length: 40 }, (_, index) => missing - index).filter((length) => length >= 0);
  for (const length of lengths) {
    const once = assemble([pad('pad', length)]);
    if (once.length === size) return once;
    const left = size - assemble([pad('pad', length), pad('pad2', 0)]).length;
    if (left < 0 || left > 23) continue;
    return assemble([pad('pad', length), pad('pad2', left)]);
  }
  throw new ServiceError('Unavailable', 'The time-stamp service sent a token too large for the signature.');
}
