import type { Pinner } from '../blobs/pinning/pinner.js';
import type { PinningNeeds } from './pin-content.js';

/** Which services a project's content is pinned on. */
export interface Pinning {
  /** Whether there is any service to pin on. */
  isOn: boolean;
  providersOf(projectId: string): Promise<readonly string[]>;
  pinnerOf: PinningNeeds['pinnerOf'];
}

/** The services of the configuration, for every project. */
export function createPinning(pinners: readonly Pinner[]): Pinning {
  const providers = pinners.map(({ provider }) => provider);
  return {
    isOn: pinners.length > 0,
    providersOf: async () => providers,
    pinnerOf: async (_projectId, provider) => pinners.find((one) => one.provider === provider),
  };
}
