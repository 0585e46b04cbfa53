import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChain, type TestChain } from '../support/chain.js';
import { ANY_ENGINE, KEY, type Service, startService } from '../support/service.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-anchor-'));
afterAll(() => rmSync(folder, { recursive: true }));

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

function colophon(argv: string[], environment: Record<string, string>) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { PATH: process.env.PATH, ...environment };
    execFile(process.execPath, [CLI, ...argv], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

describe('colophon', () => {
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

  it('verify says whether it checked the anchor of a receipt, and --require-anchor requires this check', async () => {
    const uploaded = await service.upload('an anchored photo', undefined, { prefer: 'wait=60' });
    const { actionId } = await uploaded.json();
    const { verifierKey } = await (await service.send('/v1/log')).json();
    const keep = async (id: string, name: string) => {
      const file = path.join(folder, name);
      writeFileSync(file, await (await service.send(`/v1/action/${id}/receipt`)).text());
      return file;
    };
    const file = await keep(actionId, 'anchored.json');
    const verify = (name: string, ...more: string[]) =>
      colophon(['verify', name, '--key', verifierKey, ...more], {});
    const codeOf = async (...options: Parameters<typeof verify>) => (await verify(...options)).code;

    const unchecked = await verify(file);
    expect([unchecked.code, unchecked.stdout]).toEqual([0, expect.stringContaining('use --rpc')]);
    const report = async (...more: string[]) => JSON.parse((await verify(file, '--json', ...more)).stdout);
    expect(await report()).toMatchObject({ verified: true, anchorChecked: false });
    const checked = await verify(file, '--rpc', chain.url, '--require-anchor');
    expect([checked.code, checked.stdout]).toEqual([0, expect.not.stringContaining('use --rpc')]);
    expect(await report('--rpc', chain.url)).toMatchObject({ verified: true, anchorChecked: true });
    expect(await codeOf(file, '--require-anchor')).toBe(2);

    const later = (await (await service.upload('not anchored yet')).json()).actionId;
    const unanchored = await keep(later, 'unanchored.json');
    expect(JSON.parse(readFileSync(unanchored, 'utf8')).anchor).toBeUndefined();
    expect(await codeOf(unanchored, '--rpc', chain.url, '--require-anchor')).toBe(3);
    expect(await codeOf(unanchored, '--rpc', chain.url)).toBe(3);
    const other = await startChain('--chain-id', '4');
    expect(await codeOf(file, '--rpc', other.url)).toBe(3);
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

  it('anchor deploy names every missing or invalid variable', async () => {
    const { code, stderr } = await colophon(['anchor', 'deploy'], { BLOCKCHAIN_CHAIN_ID: 'x' });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /BLOCKCHAIN_RPC_URL must be set[\s\S]*CHAIN_ID must be a whole[\s\S]*PRIVATE_KEY must be set/,
    );
  });
});
