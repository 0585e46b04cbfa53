import { parseArgs } from 'node:util';
import type { DeployedRegistry } from '../anchors/deploy-registry.js';
import { readDeployConfig } from '../config.js';
import { openClient, requireClientConfig } from './open-client.js';
import { print } from './print.js';
import { requireName } from './subcommands.js';
import { readKeys, readKeysOfService } from './trusted-keys.js';
import { UsageError } from './usage.js';
import { checkDocument } from './verify-document.js';

const COMMANDS: Record<string, (argv: string[]) => Promise<void>> = { deploy, verify };

export async function anchorCommand([name = '', ...argv]: string[]): Promise<void> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new UsageError('Run `colophon anchor deploy|verify`.');
  await command(argv);
}

async function deploy(argv: string[]): Promise<void> {
  const { values } = parseArgs({ args: argv, options: { json: { type: 'boolean' } } });
  const access = readDeployConfig();
  const { deployRegistry } = await import('../anchors/deploy-registry.js');
  print(await deployRegistry(access), { json: values.json, describe: describeRegistry });
}

function describeRegistry({ contractAddress, txHash, blockNumber, gasUsed }: DeployedRegistry): string {
  return `BLOCKCHAIN_CONTRACT_ADDRESS=${contractAddress}

Deployed in block ${blockNumber} by transaction ${txHash}, with ${gasUsed} gas. Set the variable and start the service.
`;
}

async function verify(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { json: { type: 'boolean' }, key: { type: 'string' }, rpc: { type: 'string' } },
  });
  const [actionId, ...rest] = positionals;
  if (actionId === undefined || rest.length > 0)
    throw new UsageError('Run `colophon anchor verify <action>`.');
  const config = requireClientConfig();
  const rpcUrl = values.rpc ?? config.rpcUrl;
  if (rpcUrl === undefined) throw new UsageError('Set BLOCKCHAIN_RPC_URL, or use --rpc <address>.');
  const client = openClient(config);
  const receipt = await client.receipts.get('action', requireName(actionId));
  const source =
    values.key === undefined ? await readKeysOfService(client) : await readKeys([values.key], undefined);
  const options = { rpc: rpcUrl, 'require-anchor': true, json: values.json };
  await checkDocument(
    Buffer.from(JSON.stringify(receipt)),
    { ...options, name: `The receipt of ${actionId}` },
    source,
  );
}
