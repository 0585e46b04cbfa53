import { createKuboPinner } from '../../blobs/pinning/kubo.js';
import { createPinataPinner } from '../../blobs/pinning/pinata.js';
import type { Pinner } from '../../blobs/pinning/pinner.js';
import type { PinningSettings } from '../../control/pinning-settings.js';
import { ServiceError } from '../../errors.js';
import type { PinningDeps } from './pin-content.js';

export interface Pinning {
  providersOf: PinningDeps['providersOf'];
  pinnerOf: PinningDeps['pinnerOf'];
}

export interface PinningOptions {
  pinners: readonly Pinner[];
  readSettings: (projectId: string) => Promise<PinningSettings>;
  /** Must block internal addresses, because project settings choose the addresses. */
  fetch: typeof globalThis.fetch;
  pinataUrl?: string | undefined;
}

/** A service in the project's settings replaces the configured services. With `local`, no service gets new content. */
export function createPinning(options: PinningOptions): Pinning {
  const configured = options.pinners.map(({ provider }) => provider);
  return {
    async providersOf(projectId) {
      const { storageType, ipfsProvider } = await options.readSettings(projectId);
      if (storageType === 'local') return [];
      return ipfsProvider === null ? configured : [ipfsProvider];
    },
    async pinnerOf(projectId, provider) {
      const settings = await options.readSettings(projectId);
      if (settings.ipfsProvider === provider) return createOwnPinner(settings, options);
      return options.pinners.find((one) => one.provider === provider);
    },
  };
}

function createOwnPinner(settings: PinningSettings, { fetch, pinataUrl }: PinningOptions): Pinner {
  const { ipfsProvider, ipfsGateway } = settings;
  const key = settings.openKey();
  if (ipfsProvider === 'kubo' && ipfsGateway !== null) {
    return createKuboPinner({ apiUrl: ipfsGateway, token: key, fetch });
  }
  if (ipfsProvider === 'pinata' && key !== undefined) {
    return createPinataPinner({ jwt: key, gateway: ipfsGateway ?? undefined, uploadUrl: pinataUrl, fetch });
  }
  throw new ServiceError('Unavailable', `A setting of the project for ${ipfsProvider} is missing.`, {
    recovery: 'Set ipfsProvider, ipfsApiKey and ipfsGateway of the project together.',
  });
}
