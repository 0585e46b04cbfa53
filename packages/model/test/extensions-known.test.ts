import { describe, expect, it } from 'vitest';
import { KNOWN_EXTENSIONS, type KnownExtensionKey } from '../src/index.js';

const AT = '2026-08-02T09:30:00Z';
const git = {
  repository: 'example.org/r',
  branch: 'main',
  commit: 'c0ffee',
  message: 'm',
  filesChanged: 1,
  linesAdded: 0,
  linesRemoved: 2,
};
const witness = {
  actionId: 'a',
  entityId: 'e',
  outputCid: 'c',
  actionProofHash: '00',
  serverSignature: '00',
  serverPublicKey: '00',
  timestamp: AT,
};
const claims = {
  identity: { status: 'verified' },
  action: { status: 'failed' },
  output: { status: 'skipped' },
};
const verification = { status: 'partial', claims, verifiedAt: AT, policyUsed: 'warn' };
const requirements = { amount: '1.50', currency: 'USDC', network: 'base', chainId: 8453, recipient: '0x1' };

const VALID: [name: string, value: object][] = [
  ['mark', { aiDisclosure: 'ai_generated', generator: { name: 'Painter' } }],
  ['mark', { aiDisclosure: null, generator: { name: 'Painter', version: '2' } }],
  [
    'mark',
    { aiDisclosure: 'ai_generated', generator: { name: 'Painter' }, markedCid: `sha256:${'0'.repeat(64)}` },
  ],
  ['authorization', { status: 'revoked', authorizedBy: 'studio:ann', expiresAt: AT }],
  ['auth', { id: 'key', method: 'api-key' }],
  ['contrib', { weight: 0 }],
  ['contrib', { weight: 33.3, basis: 'percentage', source: 'agreed', verifiedAt: AT }],
  ['git', git],
  ['git', { ...git, aiAssisted: { tool: 't', confidence: 1, indicators: [] }, tags: ['v1'] }],
  ['governance', {}],
  ['governance', { requirements: ['R1', 'R6'], disclosure: { aiInvolved: true }, reviewStatus: 'approved' }],
  ['identity', { method: 'did-auth', verifiedAt: AT }],
  ['license', { type: 'CC-BY-4.0', termsUrl: 'https://example.org/terms', aiTraining: 'reserved' }],
  ['onchain', { chainId: 8453, blockNumber: 0, transactionHash: '0x1', confirmed: true }],
  ['ownership:claim', { targetRef: 'c', evidenceType: 'self-declaration' }],
  ['ownership:transfer', { targetRef: 'c', fromEntityId: 'a', toEntityId: 'b', transferType: 'voluntary' }],
  ['proof', { algorithm: 'Ed25519', publicKey: '00', signature: '00', timestamp: AT }],
  ['session', {}],
  ['session', { sessionId: 's', projectId: 'p' }],
  ['storage', {}],
  ['storage', { pinned: true, replicas: [{ provider: 'ipfs', status: 'active' }], totalSize: 0 }],
  ['tool-attestation', { level: 'receipt-backed', receipt: { headers: { 'x-request-id': '1' } } }],
  ['verification', verification],
  ['witness', witness],
  ['witness', { ...witness, attestation: { type: 'tpm', report: '', measurements: { pcr0: '0' } } }],
  ['x402', { requirements }],
  ['x402', { proof: { paymentTxHash: '0x1', paidAt: AT }, split: { splitBps: 10_000 } }],
];

/** An extension, an invalid value, and the paths of its problems. */
const INVALID: [name: string, value: object, paths: string[]][] = [
  ['mark', { aiDisclosure: 'ai', generator: { name: 'Painter' } }, ['aiDisclosure']],
  ['mark', { aiDisclosure: null, generator: { name: '' } }, ['generator.name']],
  ['mark', { aiDisclosure: null, generator: { name: 'Painter' }, markedCid: 'photo' }, ['markedCid']],
  ['authorization', { status: 'maybe' }, ['status']],
  ['authorization', { status: 'pending', authorizedAt: 'today' }, ['authorizedAt']],
  ['auth', { id: 'key' }, ['method']],
  ['contrib', {}, ['weight']],
  ['contrib', { weight: -0.1 }, ['weight']],
  ['contrib', { weight: '1' }, ['weight']],
  ['contrib', { weight: 1, basis: 'shares' }, ['basis']],
  ['contrib', { weight: 1, verifiedAt: '2026-08-02' }, ['verifiedAt']],
  ['git', { ...git, linesAdded: -1 }, ['linesAdded']],
  ['git', { ...git, filesChanged: 0.5 }, ['filesChanged']],
  ['git', { ...git, aiAssisted: { tool: 't', confidence: 1.1, indicators: [] } }, ['aiAssisted.confidence']],
  ['git', { ...git, signature: { type: 'pgp', verified: true } }, ['signature.type']],
  ['governance', { requirements: ['R7'] }, ['requirements.0']],
  ['governance', { roleInWorkflow: 'output' }, ['roleInWorkflow']],
  ['governance', { disclosure: { aiInvolved: 'yes' } }, ['disclosure.aiInvolved']],
  ['identity', { method: 'password', verifiedAt: AT }, ['method']],
  ['license', {}, ['type']],
  ['license', { type: 'MIT', termsUrl: 'terms' }, ['termsUrl']],
  ['license', { type: 'MIT', aiTraining: 'no' }, ['aiTraining']],
  ['onchain', { chainId: 0, blockNumber: 1, transactionHash: '0x1' }, ['chainId']],
  ['onchain', { chainId: 1, blockNumber: -1, transactionHash: '0x1' }, ['blockNumber']],
  ['ownership:claim', { targetRef: 'c', evidenceType: 'hearsay' }, ['evidenceType']],
  ['ownership:transfer', { targetRef: 'c', fromEntityId: 'a', transferType: 'voluntary' }, ['toEntityId']],
  ['proof', { algorithm: 'RSA', publicKey: '00', signature: '00', timestamp: AT }, ['algorithm']],
  ['session', { sessionId: 1 }, ['sessionId']],
  ['storage', { replicas: [{ provider: 'ipfs', status: 'gone' }] }, ['replicas.0.status']],
  ['storage', { totalSize: -1 }, ['totalSize']],
  ['tool-attestation', {}, ['level']],
  [
    'tool-attestation',
    { level: 'provider-signed', providerSignature: { publicKey: '00' } },
    ['providerSignature.signature', 'providerSignature.algorithm', 'providerSignature.signedPayloadHash'],
  ],
  ['verification', { ...verification, claims: { ...claims, output: {} } }, ['claims.output.status']],
  ['verification', { ...verification, policyUsed: 'none' }, ['policyUsed']],
  ['witness', { ...witness, attestation: { type: 'tpm' } }, ['attestation.report']],
  ['x402', {}, ['']],
  ['x402', { requirements: { ...requirements, chainId: 0 } }, ['requirements.chainId']],
  ['x402', { proof: { paymentTxHash: '0x1' } }, ['proof.paidAt']],
  ['x402', { split: { splitBps: 10_001 } }, ['split.splitBps']],
];

function pathsOf(name: string, value: object): string[] {
  const schema = KNOWN_EXTENSIONS[`ext:${name}@1.0.0` as KnownExtensionKey];
  return schema.safeParse(value).error?.issues.map(({ path }) => path.join('.')) ?? [];
}

describe('an extension of one shape', () => {
  it.each(VALID)('ext:%s@1.0.0 accepts %j', (name, value) => {
    expect(pathsOf(name, value)).toEqual([]);
  });

  it.each(VALID)('ext:%s@1.0.0 keeps an unknown member in %j', (name, value) => {
    const schema = KNOWN_EXTENSIONS[`ext:${name}@1.0.0` as KnownExtensionKey];
    expect(schema.parse({ ...value, own: [null] })).toEqual({ ...value, own: [null] });
  });

  it.each(INVALID)('ext:%s@1.0.0 rejects %j at %j and nowhere else', (name, value, paths) => {
    expect(pathsOf(name, value)).toEqual(paths);
  });

  it('has valid and invalid examples in this file', () => {
    const names = Object.keys(KNOWN_EXTENSIONS)
      .map((key) => key.slice('ext:'.length, key.indexOf('@')))
      .filter((name) => !['ai', 'payment', 'c2pa'].includes(name));
    expect(new Set(VALID.map(([name]) => name))).toEqual(new Set(names));
    expect(new Set(INVALID.map(([name]) => name))).toEqual(new Set(names));
  });
});
