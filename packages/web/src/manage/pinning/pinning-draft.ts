import type { Project, ProjectPatch } from '@colophon/model';

export const STATES = ['default', 'ipfs', 'local'] as const;
export const PROVIDERS = ['none', 'pinata', 'kubo'] as const;

export interface PinningDraft {
  state: (typeof STATES)[number];
  provider: (typeof PROVIDERS)[number];
  address: string;
  /** A new token. An empty text keeps the stored token, which the page cannot read. */
  token: string;
}

type PinningSettings = Pick<Project, 'storageType' | 'ipfsProvider' | 'ipfsApiKeySet' | 'ipfsGateway'>;

export function toDraft({ storageType, ipfsProvider, ipfsGateway }: PinningSettings): PinningDraft {
  return {
    state: storageType ?? 'default',
    provider: ipfsProvider ?? 'none',
    address: ipfsGateway ?? '',
    token: '',
  };
}

/**
 * Returns what happens to the stored token without a new one. The service keeps it only for the same pinning service.
 */
export function fateOfToken(
  { provider, address }: PinningDraft,
  { ipfsProvider, ipfsApiKeySet, ipfsGateway }: PinningSettings,
): 'absent' | 'kept' | 'deleted' {
  if (!ipfsApiKeySet) return 'absent';
  const isElsewhere =
    provider !== ipfsProvider || (provider === 'kubo' && address.trim() !== (ipfsGateway ?? ''));
  return isElsewhere ? 'deleted' : 'kept';
}

/** `storageType: null`: the configuration of the service decides whether content is pinned. */
export function toPatch(draft: PinningDraft, before: PinningSettings): ProjectPatch {
  const { state, provider } = draft;
  const storageType = state === 'default' ? null : state;
  if (provider === 'none') return { storageType, ipfsProvider: null, ipfsApiKey: null, ipfsGateway: null };
  const [token, address] = [draft.token.trim(), draft.address.trim()];
  return {
    storageType,
    ipfsProvider: provider,
    ipfsGateway: address === '' ? null : address,
    ...(token === '' ? {} : { ipfsApiKey: token }),
    ...(token === '' && fateOfToken(draft, before) === 'deleted' ? { ipfsApiKey: null } : {}),
  };
}
