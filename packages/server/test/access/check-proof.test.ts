import { generateKeyPairSync, sign } from 'node:crypto';
import {
  type ActionProof,
  type JsonObject,
  MAX_TIMESTAMP_LAG_MS,
  type VerifySignature,
} from '@colophon/model';
import { describe, expect, it } from 'vitest';
import {
  type ActionClaim,
  actionCheck,
  decideAction,
  decideRegistration,
  type ProofPolicy,
  type RegistrationClaim,
  registrationCheck,
} from '../../src/access/check-proof.js';
import { createVerifySignature } from '../../src/access/ed25519.js';
import type { SignatureCheck, SignatureVerdict } from '../../src/access/signatures/protocol.js';
import { runChecks } from '../../src/access/signatures/run-checks.js';

const verify = createVerifySignature();
const AT = new Date('2026-08-02T09:30:01.000Z');
const T = '2026-08-02T09:30:00.000Z';

const ann = newKey();
const stranger = newKey();

function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
    sign: (text: string) => sign(null, Buffer.from(text), privateKey).toString('hex'),
  };
}

function proofBy(key: typeof ann, text: string): ActionProof {
  return { algorithm: 'Ed25519', publicKey: key.publicKey, signature: key.sign(text), timestamp: T };
}

const INTENT = `{"actionType":"create","entityId":"studio:ann","inputs":["bafyin"],"timestamp":"${T}"}`;
const FULL = `{"actionType":"create","entityId":"studio:ann","inputs":["bafyin"],"outputs":["bafyout"],"timestamp":"${T}"}`;
const NAMES = { inputs: ['bafyin'], outputs: ['bafyout'] };

const KEYED = { id: 'studio:ann', publicKey: ann.publicKey };
const UNKEYED = { id: 'studio:ann' };
const RIGHT = proofBy(ann, INTENT);
const WRONG = proofBy(ann, INTENT.replace('create', 'generate'));
const FOREIGN = proofBy(stranger, INTENT);

function verdictOf(verify: VerifySignature, check: SignatureCheck | undefined): SignatureVerdict | undefined {
  if (check === undefined) return undefined;
  const steps = runChecks(verify, { checks: [check], maxFaults: 1 });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value[0];
  }
}

const checkActionProof = (verify: VerifySignature, claim: ActionClaim) =>
  decideAction(claim, verdictOf(verify, actionCheck(claim, MAX_TIMESTAMP_LAG_MS)));
const checkRegistration = (verify: VerifySignature, claim: RegistrationClaim) =>
  decideRegistration(claim, verdictOf(verify, registrationCheck(claim)));

function check(change: Partial<ActionClaim>) {
  return checkActionProof(verify, {
    policy: 'enforce',
    proof: RIGHT,
    performer: KEYED,
    action: { type: 'create', asSent: NAMES, canonical: NAMES, outputsSeen: true },
    at: AT,
    ...change,
  });
}

const statuses = ({ verification }: ReturnType<typeof check>) =>
  verification && [verification.status, ...Object.values(verification.claims).map(({ status }) => status)];

describe('policy off', () => {
  it.each<[string, ActionProof | undefined]>([
    ['right', RIGHT],
    ['wrong', WRONG],
    ['foreign', FOREIGN],
    ['absent', undefined],
  ])('does not check the proof, and returns neither a verdict nor an error, if it is %s', (_name, proof) => {
    const never = () => {
      throw new Error('verified under policy off');
    };
    const claim = { policy: 'off' as const, proof, performer: KEYED, at: AT };
    const action = { type: 'create', asSent: NAMES, canonical: NAMES, outputsSeen: false };
    expect(checkActionProof(never, { ...claim, action })).toEqual({});
  });
});

describe('a proof by the registered key', () => {
  it.each<ProofPolicy>(['warn', 'enforce'])(
    'verifies identity, action and output if the service received the output: %s',
    (policy) => {
      const decision = check({ policy });
      expect(decision.verification).toEqual({
        status: 'verified',
        claims: {
          identity: { status: 'verified', detail: expect.any(String) },
          action: { status: 'verified', detail: expect.stringContaining('intent') },
          output: { status: 'verified', detail: expect.stringContaining('service') },
        },
        verifiedAt: '2026-08-02T09:30:01.000Z',
        policyUsed: policy,
      });
      expect(decision.report).toMatchObject({ verified: true, signedTimestamp: T, covers: 'intent' });
      expect(decision).not.toHaveProperty('refusal');
      expect(decision).not.toHaveProperty('warning');
      const extension: JsonObject | undefined = decision.verification;
      expect(JSON.parse(JSON.stringify(extension))).toEqual(extension);
    },
  );

  it('is partial if the signature omits the outputs and the service did not receive them', () => {
    const action = { type: 'create', asSent: NAMES, canonical: NAMES, outputsSeen: false };
    expect(statuses(check({ action }))).toEqual(['partial', 'verified', 'verified', 'unverified']);
  });

  it('needs no countersignature if its signature covers the outputs, or if there are none', () => {
    const action = { type: 'create', asSent: NAMES, canonical: NAMES, outputsSeen: false };
    expect(statuses(check({ action, proof: proofBy(ann, FULL) }))).toEqual(
      Array.from({ length: 4 }, () => 'verified'),
    );
    const without = { inputs: ['bafyin'], outputs: [] };
    expect(statuses(check({ action: { ...action, asSent: without, canonical: without } }))).toEqual([
      'verified',
      'verified',
      'verified',
      'skipped',
    ]);
  });

  it('is verified over the sent identifiers, even if signed 7 ms before the timestamp', () => {
    const canonical = { inputs: ['bafyother'], outputs: [] };
    const action = { type: 'create', asSent: NAMES, canonical, outputsSeen: true };
    const proof = { ...RIGHT, timestamp: '2026-08-02T09:30:00.007Z' };
    expect(check({ action, proof }).report).toMatchObject({ names: 'asSent', signedTimestamp: T });
  });
});

describe('a key in the proof of an entity without a registered key', () => {
  it.each<ProofPolicy>(['warn', 'enforce'])('verifies the signature but proves no identity: %s', (policy) => {
    const decision = check({ policy, performer: UNKEYED, proof: FOREIGN });
    expect(statuses(decision)).toEqual(['partial', 'unverified', 'verified', 'verified']);
    expect(decision).not.toHaveProperty('refusal');
  });
});

describe('a wrong proof', () => {
  it.each([
    ['an entity with a key', KEYED, 'The registered key has not signed this action'],
    [
      'an entity without a key',
      UNKEYED,
      'The entity has no registered key, and the action has no valid signature',
    ],
  ])('is recorded under warn, with the detail that applies to %s', (_name, performer, detail) => {
    const proof = { ...RIGHT, signature: '1'.repeat(128) };
    const { verification } = check({ policy: 'warn', performer, proof });
    expect(verification?.claims.identity).toEqual({ status: 'unverified', detail });
  });

  it('by another key is rejected with a 403 that names both keys', () => {
    const { refusal, verification } = check({ proof: FOREIGN });
    expect(refusal).toMatchObject({ code: 'Forbidden', status: 403 });
    expect(refusal?.message).toContain(stranger.publicKey);
    expect(refusal?.message).toContain(ann.publicKey);
    expect(verification).toBeUndefined();
  });

  it.each([
    ['a keyed entity', KEYED],
    ['an entity without a key', UNKEYED],
  ])('over another action is rejected with a 403 that shows the text to sign: %s', (_name, performer) => {
    const { refusal, verification } = check({ proof: WRONG, performer });
    expect(refusal).toMatchObject({ code: 'Forbidden', status: 403, details: { signedText: INTENT } });
    expect(verification).toBeUndefined();
  });

  it('is rejected with a text to sign, and a signature over this text is a valid proof', () => {
    const details = check({ proof: WRONG }).refusal?.details;
    const text = details instanceof Object && 'signedText' in details ? `${details.signedText}` : '';
    expect(check({ proof: proofBy(ann, text) }).report).toMatchObject({ verified: true });
  });

  it.each([
    ['by another key', FOREIGN],
    ['over another action', WRONG],
  ])('%s is recorded as unverified under warn, with a warning', (_name, proof) => {
    const decision = check({ policy: 'warn', proof });
    expect(statuses(decision)).toEqual(['unverified', 'unverified', 'failed', 'unverified']);
    expect(decision.warning).toContain('action.proof');
    expect(decision).not.toHaveProperty('refusal');
  });

  it('of zeros is rejected, even if the registered key is zeros', () => {
    const zero = { ...RIGHT, publicKey: '00'.repeat(32), signature: '00'.repeat(64) };
    expect(check({ proof: zero, performer: UNKEYED }).refusal?.status).toBe(403);
    expect(check({ proof: zero, performer: { id: 'studio:ann', publicKey: zero.publicKey } })).toMatchObject({
      refusal: { status: 403 },
    });
  });
});

describe('a missing proof', () => {
  it('of a keyed entity is rejected under enforce', () => {
    expect(check({ proof: undefined }).refusal).toMatchObject({ code: 'Forbidden', status: 403 });
  });

  it('of a keyed entity is unverified under warn, with a warning', () => {
    const decision = check({ policy: 'warn', proof: undefined });
    expect(statuses(decision)).toEqual(Array.from({ length: 4 }, () => 'unverified'));
    expect(decision.warning).toContain('studio:ann');
  });

  it.each<ProofPolicy>(['warn', 'enforce'])('of an entity without a key is skipped: %s', (policy) => {
    const decision = check({ policy, proof: undefined, performer: UNKEYED });
    expect(statuses(decision)).toEqual(Array.from({ length: 4 }, () => 'skipped'));
    expect(decision).not.toHaveProperty('refusal');
    expect(decision).not.toHaveProperty('warning');
  });
});

describe('a registration', () => {
  const SIGNATURE = ann.sign(`provenancekit:register:studio:ann:${ann.publicKey}`);
  const register = (
    policy: ProofPolicy,
    registrationSignature: string | undefined,
    entityId = 'studio:ann',
  ) =>
    checkRegistration(verify, {
      policy,
      entityId,
      publicKey: ann.publicKey,
      registrationSignature,
      at: AT,
    });

  it.each<ProofPolicy>(['warn', 'enforce'])('by the holder of the key proves the identity: %s', (policy) => {
    const decision = register(policy, SIGNATURE);
    expect(decision).toEqual({
      identity: {
        method: 'key-ownership',
        verifiedAt: '2026-08-02T09:30:01.000Z',
        registrationSignature: SIGNATURE,
      },
    });
    const extension: JsonObject | undefined = decision.identity;
    expect(extension).toBeDefined();
  });

  it('with a wrong signature is flagged under warn', () => {
    const decision = register('warn', ann.sign('x'));
    expect(decision).toMatchObject({ refuted: { status: 'unverified', registrationVerified: false } });
    expect(decision.warning).toContain('registrationSignature of entity studio:ann is wrong');
    expect(decision).not.toHaveProperty('refusal');
    expect(decision).not.toHaveProperty('identity');
  });

  it.each<ProofPolicy>(['enforce'])('with a wrong signature is rejected with 403: %s', (policy) => {
    for (const wrong of [
      ann.sign('x'),
      stranger.sign(`provenancekit:register:studio:ann:${ann.publicKey}`),
    ]) {
      const decision = register(policy, wrong);
      expect(decision.refusal).toMatchObject({ code: 'Forbidden', status: 403 });
      expect(decision.refusal?.recovery).toContain(`provenancekit:register:studio:ann:${ann.publicKey}`);
      expect(decision).not.toHaveProperty('identity');
    }
    expect(register(policy, SIGNATURE, 'studio:bob').refusal?.status).toBe(403);
  });

  it('without a signature is rejected under enforce, and only causes a warning under warn', () => {
    expect(register('enforce', undefined).refusal).toMatchObject({ code: 'Forbidden', status: 403 });
    expect(register('warn', undefined)).toEqual({ warning: expect.stringContaining('studio:ann') });
  });

  it('gets no verdict under policy off, or if it has no key', () => {
    expect(register('off', SIGNATURE)).toEqual({});
    expect(register('off', stranger.sign('x'))).toEqual({});
    const claim = { entityId: 'e', publicKey: undefined, registrationSignature: undefined, at: AT };
    expect(checkRegistration(verify, { policy: 'enforce', ...claim })).toEqual({});
  });
});
