import { type Action, type Onchain, parseTrustedLog, verifyAnchor, verifyReceipt } from '@colophon/model';
import { expect } from 'vitest';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { createChainReader } from '../../src/anchors/chain-reader.js';
import { type TestChain, until } from './chain.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from './service.js';

export const PACE = {
  pollSeconds: 0.1,
  bumpSeconds: 1,
  resendSeconds: 0.5,
  maxPauseSeconds: 0.4,
  leaseSeconds: 3,
};

/** Records the entity `ann`. The service uses DATABASE_URL in `environment`, if it is set. */
export async function startAnchored(
  { chain, rpcUrl }: { chain: TestChain; rpcUrl: string },
  environment: Record<string, string>,
): Promise<Service> {
  const service = await startService(environment.DATABASE_URL ? 'PostgreSQL' : ANY_ENGINE, {
    environment: { ...chain.environment, BLOCKCHAIN_RPC_URL: rpcUrl, ...environment },
    overrides: { anchoringPace: PACE },
  });
  await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human', name: 'Ann' }));
  return service;
}

/** Returns the id of the action. */
export const record = async (service: Service): Promise<string> =>
  (await (await service.send('/v1/action', jsonPost({ performedBy: 'ann' }))).json()).actionId;

export const readOnchain = async (service: Service, id: string) =>
  ((await (await service.send(`/v1/action/${id}`)).json()) as Action).onchain;

export const untilStatus = (service: Service, id: string, ...statuses: Onchain['status'][]) =>
  until(async () => {
    const onchain = await readOnchain(service, id);
    return onchain !== undefined && statuses.includes(onchain.status) && onchain;
  }, `${id} is ${statuses}`);

export const untilWord = (service: Service, word: RegExp) =>
  until(
    async () => word.test((await (await service.send('/readyz')).json()).checks.anchoring),
    `/readyz says ${word}`,
  );

/** Uses only the receipts, the key of the log and the chain. */
export async function expectOnChain(chain: TestChain, service: Service, ids: readonly string[]) {
  const trusted = parseTrustedLog((await (await service.send('/v1/log')).json()).verifierKey);
  for (const id of ids) {
    const receipt = await (await service.send(`/v1/action/${id}/receipt`)).json();
    const report = verifyReceipt(
      receipt,
      trusted ?? { publicKey: new Uint8Array() },
      createVerifySignature(),
    );
    if (!report.verified || report.anchor === null) throw new Error(`${id}: ${JSON.stringify(report)}`);
    expect(await verifyAnchor(report.anchor, createChainReader(chain.url))).toMatchObject({ verified: true });
  }
}
