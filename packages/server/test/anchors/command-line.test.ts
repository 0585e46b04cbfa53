import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChain, type TestChain } from '../support/chain.js';
import { ANY_ENGINE, KEY, type Service, startService } from '../support/service.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

function colophon(argv: string[], environment: Record<string, string>) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { PATH: process.env.PATH, ...environment };
    execFile(process.execPath, [CLI, ...argv], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

describe('the command line', () => {
  let chain: TestChain;
  let service: Service;
  beforeAll(async () => {
    chain = await startChain();
    service = await startService(ANY_ENGINE, { environment: chain.environment });
  });
  afterAll(async () => {
    await service.stop();
    await chain.stop();
  });

  it('anchor verify reads the chain itself, and fails on another chain', async () => {
    const uploaded = await service.upload('a photo', undefined, { prefer: 'wait=60' });
    const { actionId, onchain } = await uploaded.json();
    const environment = { COLOPHON_URL: service.base, COLOPHON_API_KEY: KEY, ...chain.environment };
    const found = await colophon(['anchor', 'verify', actionId], environment);
    expect(found.code).toBe(0);
    expect(found.stdout).toMatch(/on the chain since 20/);
    expect(found.stdout).toContain(`transaction ${onchain.txHash}`);
    const other = await startChain('--chain-id', '4');
    const refused = await colophon(['anchor', 'verify', actionId, '--rpc', other.url, '--json'], environment);
    expect([refused.code, JSON.parse(refused.stdout).onchain]).toEqual([
      3,
      { verified: false, code: 'otherChain' },
    ]);
    await other.stop();
  }, 180_000);

  it('doctor reads the chain, and exits with 3 if the service cannot anchor', async () => {
    const fit = await colophon(['doctor'], chain.environment);
    expect(fit.code).toBe(0);
    expect(fit.stdout).toMatch(/^anchoring +ok: local, registry 0x\w{40}, wallet 0x\w{40} with \d+ wei$/m);
    expect(fit.stdout).not.toContain(chain.privateKey);
    const unfit = await colophon(['doctor'], { ...chain.environment, BLOCKCHAIN_CHAIN_ID: '1' });
    expect([unfit.code, unfit.stdout]).toEqual([3, expect.stringContaining('The RPC serves chain 31337')]);
  }, 180_000);

  it('anchor deploy names every missing variable', async () => {
    const { code, stderr } = await colophon(['anchor', 'deploy'], { BLOCKCHAIN_CHAIN_ID: 'x' });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /BLOCKCHAIN_RPC_URL must be set[\s\S]*CHAIN_ID must be a whole[\s\S]*PRIVATE_KEY must be set/,
    );
  });
});
