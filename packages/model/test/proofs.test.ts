import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify as verifyByNode,
} from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ActionProof,
  actionProofHash,
  actionProofSchema,
  type ProvenAction,
  verifyActionProof,
} from '../src/proofs/proof.js';
import { publicKeySchema, signatureSchema, type VerifySignature } from '../src/proofs/signature.js';
import {
  actionIntentText,
  fullActionText,
  registrationText,
  witnessText,
} from '../src/proofs/signing-texts.js';
import { verifyWitness, type Witness, witnessSchema } from '../src/proofs/witness.js';

const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** The key of RFC 8032 §7.1, TEST 1. */
const PRIVATE_KEY = createPrivateKey({
  key: Buffer.from(
    '302e020100300506032b6570042204209d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'hex',
  ),
  format: 'der',
  type: 'pkcs8',
});
const PUBLIC_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

const verify: VerifySignature = (publicKey, message, signature) =>
  verifyByNode(
    null,
    message,
    createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' }),
    signature,
  );

function counted(): { verify: VerifySignature; calls: () => number } {
  let calls = 0;
  return {
    verify: (...parts) => {
      calls += 1;
      return verify(...parts);
    },
    calls: () => calls,
  };
}

function signatureOf(text: string, key: KeyObject = PRIVATE_KEY): string {
  return sign(null, Buffer.from(text), key).toString('hex');
}

function proofOver(text: string, timestamp: string): ActionProof {
  return { algorithm: 'Ed25519', publicKey: PUBLIC_KEY, signature: signatureOf(text), timestamp };
}

const T = '2026-08-02T09:30:00.010Z';
const NO_NAMES = { inputs: [], outputs: [] };
const RAW_INPUT = 'QmV0';
const CANONICAL_INPUT = 'bafyv1';

/** The input has a name that is not canonical. */
const ACTION: ProvenAction = {
  type: 'transform',
  entityId: 'studio:ann',
  asSent: { inputs: [RAW_INPUT], outputs: ['bafyout'] },
  canonical: { inputs: [CANONICAL_INPUT], outputs: ['bafyout'] },
};
const intentText = (input: string, timestamp: string) =>
  `{"actionType":"transform","entityId":"studio:ann","inputs":["${input}"],"timestamp":"${timestamp}"}`;
const fullText = (input: string, timestamp: string) =>
  `{"actionType":"transform","entityId":"studio:ann","inputs":["${input}"],"outputs":["bafyout"],"timestamp":"${timestamp}"}`;

describe('the signed texts', () => {
  it('are JSON.stringify of their sorted members, as the ProvenanceKit SDK writes them', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, text, fc.array(text), fc.array(text), (actionType, entityId, inputs, outputs) => {
        const intent = { actionType, entityId, inputs: [...inputs].sort() };
        const full = { ...intent, outputs: [...outputs].sort(), timestamp: T };
        expect(actionIntentText({ actionType, entityId, inputs, timestamp: T })).toBe(
          JSON.stringify({ ...intent, timestamp: T }),
        );
        expect(fullActionText({ actionType, entityId, inputs, outputs, timestamp: T })).toBe(
          JSON.stringify(full),
        );
        const statement = { actionId: entityId, actionProofHash: 'sha256:', entityId, outputCid: actionType };
        expect(witnessText(statement)).toBe(JSON.stringify(statement));
      }),
    );
  });

  it('sort content ids by UTF-16 code units and do not change the input array', () => {
    const inputs = ['\uff5e', 'b', '\u{1f600}', 'Z', 'a', 'a1'];
    expect(actionIntentText({ actionType: 'create', entityId: 'e', inputs, timestamp: T })).toBe(
      `{"actionType":"create","entityId":"e","inputs":["Z","a","a1","b","\u{1f600}","\uff5e"],"timestamp":"${T}"}`,
    );
    expect(inputs[0]).toBe('\uff5e');
  });

  it('name the id and the key of a registration', () => {
    expect(registrationText('studio:ann', PUBLIC_KEY)).toBe(
      `provenancekit:register:studio:ann:${PUBLIC_KEY}`,
    );
  });
});

describe('an action proof', () => {
  const proof = proofOver(intentText(RAW_INPUT, T), T);

  it.each([
    ['the intent, canonical names', intentText(CANONICAL_INPUT, T), { covers: 'intent', names: 'canonical' }],
    ['the intent, names as sent', intentText(RAW_INPUT, T), { covers: 'intent', names: 'asSent' }],
    [
      'the full action, canonical names',
      fullText(CANONICAL_INPUT, T),
      { covers: 'full', names: 'canonical' },
    ],
    ['the full action, names as sent', fullText(RAW_INPUT, T), { covers: 'full', names: 'asSent' }],
  ])('is verified over %s', (_name, text, found) => {
    expect(verifyActionProof(proofOver(text, T), ACTION, verify)).toEqual({
      verified: true,
      signedTimestamp: T,
      ...found,
    });
  });

  it('is verified with one signature check if its timestamp is the signed time', () => {
    const counter = counted();
    const canonical = proofOver(intentText(CANONICAL_INPUT, T), T);
    expect(verifyActionProof(canonical, ACTION, counter.verify).verified).toBe(true);
    expect(counter.calls()).toBe(1);
  });

  it.each([
    ['2 ms', '2026-08-02T09:30:00.008Z', 6],
    ['9 ms', '2026-08-02T09:30:00.001Z', 20],
    ['20 ms (in the previous second)', '2026-08-02T09:29:59.990Z', 42],
    ['250 ms', '2026-08-02T09:29:59.760Z', 502],
  ])(
    'of the ProvenanceKit SDK, signed %s before its timestamp, is verified with a bounded number of checks',
    (_, signed, most) => {
      const counter = counted();
      const action = { ...ACTION, asSent: ACTION.canonical };
      const late = proofOver(intentText(CANONICAL_INPUT, signed), T);
      expect(verifyActionProof(late, action, counter.verify)).toMatchObject({
        signedTimestamp: signed,
        names: 'canonical',
      });
      expect(counter.calls()).toBeLessThanOrEqual(most);
    },
  );

  it.each([
    ['251 ms before', '2026-08-02T09:29:59.759Z'],
    ['1 ms after', '2026-08-02T09:30:00.011Z'],
  ])('signed %s its timestamp is refuted after 1,004 checks', (_name, signed) => {
    const counter = counted();
    expect(verifyActionProof(proofOver(intentText(RAW_INPUT, signed), T), ACTION, counter.verify)).toEqual({
      verified: false,
      reason: 'signatureMismatch',
    });
    expect(counter.calls()).toBe(1004);
  });

  it('with a wrong signature is refuted after 502 checks if the caller sent canonical identifiers', () => {
    const counter = counted();
    const action = { ...ACTION, asSent: ACTION.canonical };
    expect(verifyActionProof(proof, action, counter.verify).verified).toBe(false);
    expect(counter.calls()).toBe(502);
  });

  it.each([
    ['inputs', 1000, 0],
    ['inputs and outputs', 1000, 1000],
  ])(
    'of an action with a thousand %s is refuted after more than 10 timestamps, in under 5 MiB of texts',
    (_, ins, outs) => {
      const names = (count: number, letter: string) => Array.from({ length: count }, () => letter.repeat(59));
      const many = (letter: string) => ({ inputs: names(ins, letter), outputs: names(outs, letter) });
      const action = { ...ACTION, asSent: many('b'), canonical: many('a') };
      let triedBytes = 0;
      const timestamps = new Set<string>();
      const refute: VerifySignature = (_key, text) => {
        triedBytes += text.length;
        timestamps.add(Buffer.from(text.slice(-26, -2)).toString());
        return false;
      };
      expect(verifyActionProof(proof, action, refute).verified).toBe(false);
      expect(triedBytes).toBeLessThan(5 * 2 ** 20);
      expect(timestamps.size).toBeGreaterThan(10);
    },
  );

  it('with a `signedTimestamp` is verified only at this time, with at most four signature checks', () => {
    const signed = '2026-08-02T11:00:00+02:00';
    const explicit = { ...proofOver(fullText(RAW_INPUT, signed), T), signedTimestamp: signed };
    const counter = counted();
    expect(verifyActionProof(explicit, ACTION, counter.verify)).toMatchObject({
      verified: true,
      signedTimestamp: signed,
    });
    const wrong = { ...proof, signedTimestamp: '2026-08-02T09:30:00.009Z' };
    expect(verifyActionProof(wrong, ACTION, counter.verify).verified).toBe(false);
    expect(counter.calls()).toBe(8);
  });

  it.each(['2026-08-02T09:30:00Z', '2026-08-02T09:30:00.0100Z', '2026-08-02T11:30:00.010+02:00'])(
    'with the timestamp %s is verified only over a text with exactly this timestamp',
    (timestamp) => {
      const counter = counted();
      const same = proofOver(intentText(CANONICAL_INPUT, timestamp), timestamp);
      expect(verifyActionProof(same, ACTION, verify)).toMatchObject({ signedTimestamp: timestamp });
      const other = proofOver(intentText(CANONICAL_INPUT, new Date(timestamp).toISOString()), timestamp);
      expect(verifyActionProof(other, ACTION, counter.verify).verified).toBe(false);
      expect(counter.calls()).toBe(4);
    },
  );

  it.each<[string, Partial<ProvenAction>]>([
    ['type', { type: 'create' }],
    ['performer', { entityId: 'studio:bob' }],
    ['inputs', { asSent: NO_NAMES, canonical: NO_NAMES }],
  ])('does not verify for an action of another %s', (_name, change) => {
    expect(verifyActionProof(proof, { ...ACTION, ...change }, verify).verified).toBe(false);
  });

  it('over the full action does not verify for other outputs', () => {
    const outputs = ['bafyother'];
    const other = { ...ACTION, asSent: { inputs: [RAW_INPUT], outputs }, canonical: { inputs: [], outputs } };
    expect(verifyActionProof(proofOver(fullText(RAW_INPUT, T), T), other, verify).verified).toBe(false);
  });

  it('by another key does not verify', () => {
    const stranger = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' });
    const publicKey = stranger.subarray(-32).toString('hex');
    expect(verifyActionProof({ ...proof, publicKey }, ACTION, verify).verified).toBe(false);
  });

  it('does not verify with a flipped bit in its signature', () => {
    fc.assert(
      fc.property(fc.nat(511), (bit) => {
        const bytes = Buffer.from(proof.signature, 'hex');
        bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        const flipped = { ...proof, signedTimestamp: T, signature: bytes.toString('hex') };
        expect(verifyActionProof(flipped, ACTION, verify).verified).toBe(false);
      }),
    );
  });
});

describe('the schema of an action proof', () => {
  const proof = { algorithm: 'Ed25519', publicKey: PUBLIC_KEY, signature: 'ab'.repeat(64), timestamp: T };

  it.each(['2026-08-02T09:30:00.000Z', '2026-08-02T09:30:00Z', '2026-08-02T11:30:00.123456789+02:00'])(
    'keeps the timestamp %s byte for byte',
    (timestamp) => {
      const explicit = { ...proof, timestamp, signedTimestamp: timestamp };
      expect(actionProofSchema.parse(explicit)).toEqual(explicit);
    },
  );

  it.each<[string, object]>([
    ['ECDSA', { algorithm: 'ECDSA-secp256k1', publicKey: `02${'ab'.repeat(32)}` }],
    ['upper-case hex in the key', { publicKey: PUBLIC_KEY.toUpperCase() }],
    ['0x before the key', { publicKey: `0x${PUBLIC_KEY.slice(2)}` }],
    ['garbage for a signature', { signature: 'zz'.repeat(64) }],
    ['a signature of 63 bytes', { signature: 'ab'.repeat(63) }],
    ['a line break after the key', { publicKey: `${PUBLIC_KEY}\n` }],
    ['a date for a timestamp', { timestamp: '2026-08-02' }],
    ['a day that does not exist', { timestamp: '2026-02-30T00:00:00Z' }],
    ['a timestamp without seconds', { timestamp: '2026-08-02T09:30Z' }],
    ['a timestamp without a zone', { timestamp: '2026-08-02T09:30:00' }],
    ['a quote in the timestamp', { timestamp: `${T}","x":"` }],
    ['a fraction of 40 digits', { timestamp: `2026-08-02T09:30:00.${'0'.repeat(40)}Z` }],
    ['an unknown member', { nonce: '1' }],
    ['no timestamp', { timestamp: undefined }],
  ])('rejects %s with an issue, not an exception', (_name, change) => {
    const parsed = actionProofSchema.safeParse({ ...proof, ...change });
    expect(parsed.success).toBe(false);
    expect(parsed.error?.issues.length).toBeGreaterThan(0);
  });

  it('accepts a key as the public key, and rejects the same key as a signature', () => {
    expect(publicKeySchema.safeParse(PUBLIC_KEY).success).toBe(true);
    expect(signatureSchema.safeParse(PUBLIC_KEY).success).toBe(false);
  });
});

describe('the hash of a proof', () => {
  it('is SHA-256 over its members in sorted order, for any input order', () => {
    const signature = 'cd'.repeat(64);
    const text = `{"algorithm":"Ed25519","publicKey":"${PUBLIC_KEY}","signature":"${signature}","timestamp":"${T}"}`;
    const proof: ActionProof = { timestamp: T, signature, publicKey: PUBLIC_KEY, algorithm: 'Ed25519' };
    expect(actionProofHash(proof)).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`);
    expect(actionProofHash({ ...proof, signedTimestamp: undefined })).toBe(actionProofHash(proof));
  });

  it('covers a signedTimestamp', () => {
    const signature = 'cd'.repeat(64);
    const text = `{"algorithm":"Ed25519","publicKey":"${PUBLIC_KEY}","signature":"${signature}","signedTimestamp":"${T}","timestamp":"${T}"}`;
    expect(
      actionProofHash({
        algorithm: 'Ed25519',
        publicKey: PUBLIC_KEY,
        signature,
        timestamp: T,
        signedTimestamp: T,
      }),
    ).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`);
  });
});

describe('a countersignature', () => {
  const proof = proofOver(intentText(RAW_INPUT, T), T);
  const proofText = `{"algorithm":"Ed25519","publicKey":"${PUBLIC_KEY}","signature":"${proof.signature}","timestamp":"${T}"}`;
  const hash = `sha256:${createHash('sha256').update(proofText).digest('hex')}`;
  const witness: Witness = {
    actionId: 'a1',
    entityId: 'studio:ann',
    outputCid: 'bafyout',
    actionProofHash: hash,
    serverSignature: signatureOf(
      `{"actionId":"a1","actionProofHash":"${hash}","entityId":"studio:ann","outputCid":"bafyout"}`,
    ),
    serverPublicKey: PUBLIC_KEY,
    timestamp: T,
  };
  const expected = {
    serverPublicKey: PUBLIC_KEY,
    actionId: 'a1',
    entityId: 'studio:ann',
    outputCid: 'bafyout',
    proof,
  };

  it('is verified by the key that the reader trusts', () => {
    expect(verifyWitness(witnessSchema.parse(witness), expected, verify)).toEqual({ verified: true });
  });

  it.each<[string, Partial<Witness>, string]>([
    ['an untrusted key', { serverPublicKey: '00'.repeat(32) }, 'untrustedKey'],
    ['another action', { actionId: 'a2' }, 'otherAction'],
    ['another entity', { entityId: 'studio:bob' }, 'otherAction'],
    ['another output', { outputCid: 'bafyother' }, 'otherAction'],
    ['another proof', { actionProofHash: `sha256:${'0'.repeat(64)}` }, 'otherProof'],
    ['a signature of something else', { serverSignature: signatureOf('x') }, 'signatureMismatch'],
  ])('with %s is refuted', (_name, change, reason) => {
    expect(verifyWitness({ ...witness, ...change }, expected, verify)).toEqual({ verified: false, reason });
  });

  it('in which the action id was replaced by the id of another action is refuted', () => {
    const moved = { ...expected, actionId: 'a2' };
    expect(verifyWitness({ ...witness, actionId: 'a2' }, moved, verify)).toEqual({
      verified: false,
      reason: 'signatureMismatch',
    });
  });
});
