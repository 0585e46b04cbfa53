import type { VerifySignature } from '@colophon/model';
import { openCommandSigner } from './command-signer.js';
import { type LogSigner, toLogSigner } from './log-signer.js';
import { openSigningKey, type SigningKeyLocation } from './signing-key.js';

/** The seed has 64 hex digits. */
export type CreateLocalSigner = (seedHex: string) => Parameters<typeof toLogSigner>[0];

/** Returns undefined when the logs are not signed. */
export async function openLogSigner(
  place: SigningKeyLocation,
  { createSigner, verify }: { createSigner: CreateLocalSigner; verify: VerifySignature },
): Promise<LogSigner | undefined> {
  if (place.kind === 'command') return openCommandSigner(place.command, verify);
  const seedHex = await openSigningKey(place);
  return seedHex === undefined ? undefined : toLogSigner(createSigner(seedHex));
}
