import type { Project, ProjectPatch } from '@colophon/model';
import type { ServiceError } from '../errors.js';
import type { ManagementDeps } from './deps.js';
import { unusable } from './stored-settings.js';

const PINNING = ['storageType', 'ipfsProvider', 'ipfsApiKey', 'ipfsGateway'] as const;

/** Throws `ValidationError` when the pinning settings cannot be applied together. */
export function checkPinning(
  deps: Pick<ManagementDeps, 'mayReach' | 'pinsByDefault'>,
  patch: ProjectPatch,
  { before, after }: { before?: Project; after: Project },
): void {
  if (PINNING.every((setting) => patch[setting] === undefined)) return;
  const fault =
    (typeof patch.ipfsGateway === 'string' && !deps.mayReach(patch.ipfsGateway)
      ? unusable('ipfsGateway', 'is not an address of the public internet')
      : undefined) ??
    (before && findLeak(patch, before, after)) ??
    findGap(after, deps.pinsByDefault);
  if (fault !== undefined) throw fault;
}

/** Returns an error if the change would send the stored secret to another service. */
function findLeak(patch: ProjectPatch, before: Project, after: Project): ServiceError | undefined {
  const staysSet = before.ipfsApiKeySet && patch.ipfsApiKey === undefined;
  const isElsewhere =
    before.ipfsProvider !== after.ipfsProvider ||
    (after.ipfsProvider === 'kubo' && before.ipfsGateway !== after.ipfsGateway);
  return staysSet && isElsewhere
    ? unusable(
        'ipfsApiKey',
        'must be sent again or be null, because the stored key belongs to another service',
      )
    : undefined;
}

function findGap(after: Project, pinsByDefault: boolean): ServiceError | undefined {
  const { storageType, ipfsProvider, ipfsApiKeySet, ipfsGateway } = after;
  if (ipfsProvider === 'pinata' && !ipfsApiKeySet) return unusable('ipfsApiKey', 'is needed by pinata');
  if (ipfsProvider === 'kubo' && ipfsGateway === null)
    return unusable('ipfsGateway', 'is needed by kubo: the address of its RPC');
  if (ipfsProvider === null && (ipfsApiKeySet || ipfsGateway !== null))
    return unusable(
      'ipfsProvider',
      'must be set, because ipfsApiKey or ipfsGateway is set. Set it, or set both of them to null',
    );
  if (ipfsProvider === null && storageType === 'ipfs' && !pinsByDefault)
    return unusable('ipfsProvider', 'must be set, because the service has no pinning service of its own');
  return undefined;
}
