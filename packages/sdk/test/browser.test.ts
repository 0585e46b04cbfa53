import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { bundle } from './support/bundle.js';

const ENTRY = fileURLToPath(new URL('../src/index.ts', import.meta.url));

describe('the SDK in a browser', () => {
  it('is one script without Node modules, and computes a CID without Node', async () => {
    const code = await bundle(ENTRY);
    expect(code).not.toMatch(/__vite-browser-external|require\(|\bprocess\.(?!env\.NODE_ENV)/);
    const page = vm.createContext({ TextEncoder, TextDecoder, URL, URLSearchParams, crypto, Blob, fetch });
    const cid = vm.runInContext(`${code}; sdk.computeCid(new TextEncoder().encode('hello world'))`, page);
    await expect(cid).resolves.toBe('bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e');
  });

  it('is checked for Node modules by a pattern that matches code with Node modules', async () => {
    const code = await bundle(fileURLToPath(new URL('./support/stand-in.ts', import.meta.url)));
    expect(code).toMatch(/__vite-browser-external|require\(/);
  });
});
