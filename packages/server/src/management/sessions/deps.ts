import type { OpenIdProvider } from '../../access/openid.js';
import type { ManagementDeps } from '../deps.js';
import type { Passwords } from './passwords.js';

export interface SessionDeps {
  management: ManagementDeps;
  /** Undefined if local accounts are off. */
  passwords: Passwords | undefined;
  /** Undefined if no provider is configured. */
  openId: OpenIdProvider | undefined;
}
