import { possibleSignedTexts, type VerifySignature } from '@colophon/model';
import type { CheckTask, SignatureCheck, SignatureVerdict } from './protocol.js';

/** Yields the length of each verified text, in bytes. */
export function* runChecks(
  verify: VerifySignature,
  { checks, maxFaults }: Pick<CheckTask, 'checks' | 'maxFaults'>,
): Generator<number, SignatureVerdict[]> {
  const verdicts: SignatureVerdict[] = [];
  let faults = 0;
  for (const check of checks) {
    const verdict = faults < maxFaults ? yield* runCheck(verify, check) : 'unchecked';
    if (verdict !== 'unchecked' && !verdict.verified) faults += 1;
    verdicts.push(verdict);
  }
  return verdicts;
}

function* runCheck(
  verify: VerifySignature,
  check: SignatureCheck,
): Generator<number, Exclude<SignatureVerdict, 'unchecked'>> {
  if (check.kind === 'registration') {
    const text = Buffer.from(check.text);
    const verified = verify(fromHex(check.publicKey), text, fromHex(check.signature));
    yield text.length;
    return { verified };
  }
  const { proof, action, maxLagMs } = check;
  const [publicKey, signature] = [fromHex(proof.publicKey), fromHex(proof.signature)];
  for (const { text, ...found } of possibleSignedTexts(proof, action, maxLagMs)) {
    const verified = verify(publicKey, text, signature);
    yield text.length;
    if (verified) return { verified, ...found };
  }
  return { verified: false, reason: 'signatureMismatch' };
}

function fromHex(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}
