import type { OpenIdProvider } from '../../access/openid.js';
import type { ManagementDeps } from '../deps.js';
import type { Passwords } from './passwords.js';

export interface SessionDeps {
  management: ManagementDeps;
  /** Undefined where local accounts are off. */
  passwords: Passwords | undefined;
  /** Undefined where no provider is configured. */
  openId: OpenIdProvider | undefined;
}
