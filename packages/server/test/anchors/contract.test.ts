import { DIGEST_ANCHORED, ROOT_ANCHORED } from '@colophon/model';
import { toEventSelector } from 'viem';
import { expect, it } from 'vitest';
import { compileContract } from '../../../../scripts/compile-contract.mjs';
import { REGISTRY_ABI, REGISTRY_BYTECODE } from '../../src/anchors/anchor-registry.js';

it('the deployed bytecode is the compiled source', () => {
  const { abi, bytecode } = compileContract();
  expect(REGISTRY_ABI).toEqual(abi);
  expect(REGISTRY_BYTECODE).toBe(bytecode);
});

it('verifiers search for the same events that the contract emits', () => {
  const selectors = REGISTRY_ABI.filter((one) => one.type === 'event').map((event) => toEventSelector(event));
  expect(selectors.sort()).toEqual([ROOT_ANCHORED, DIGEST_ANCHORED].sort());
});
