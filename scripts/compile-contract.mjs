// Compiles the registry's contract into bytecode and ABI: `node scripts/compile-contract.mjs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bin, ROOT, run } from './processes.mjs';

const SERVER = join(ROOT, 'packages/server');
const NAME = 'AnchorRegistry';
const ARTEFACT = join(SERVER, 'src/anchors/anchor-registry.ts');

const SETTINGS = {
  // An older EVM version also runs on chains without the newest upgrades.
  evmVersion: 'paris',
  optimizer: { enabled: true, runs: 200 },
  // With this setting, the bytecode depends only on the source and the compiler.
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
};

export function compileContract() {
  const solc = createRequire(join(SERVER, 'package.json'))('solc');
  const file = `${NAME}.sol`;
  const content = readFileSync(join(SERVER, 'contracts', file), 'utf8');
  const input = { language: 'Solidity', sources: { [file]: { content } }, settings: SETTINGS };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  if (output.errors?.length > 0) throw new Error(output.errors[0].formattedMessage);
  const { abi, evm } = output.contracts[file][NAME];
  return { abi, bytecode: `0x${evm.bytecode.object}`, compiler: solc.version() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { abi, bytecode, compiler } = compileContract();
  const text = `// Made from contracts/${NAME}.sol by scripts/compile-contract.mjs with solc ${compiler}.
export const REGISTRY_ABI = ${JSON.stringify(abi)} as const;

export const REGISTRY_BYTECODE = '${bytecode}';
`;
  writeFileSync(ARTEFACT, text);
  process.exitCode = await run(bin('biome', 'format', '--write', ARTEFACT));
}
