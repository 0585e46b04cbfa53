import { PASSWORD_COST, type PasswordCost } from '../access/password.js';
import type { Config } from '../config.js';
import type { AppDeps } from '../http/app.js';
import type { ManagementDeps } from '../management/deps.js';
import { createPasswords } from '../management/sessions/passwords.js';
import type { OpenLimits } from './limits.js';

/** Limits per minute, and the cost of a password hash. */
export interface SignInPace {
  perAddress: number;
  perAccount: number;
  /** Requests per address for the two steps of a sign-in with an OpenID provider. */
  openIdPerAddress: number;
  passwordCost: PasswordCost;
}

const SIGN_IN_PACE: SignInPace = {
  perAddress: 10,
  perAccount: 20,
  openIdPerAddress: 30,
  passwordCost: PASSWORD_COST,
};

export async function createSessions(
  { signIn }: Config,
  { management, limits }: { management: ManagementDeps; limits: Pick<OpenLimits, 'create'> },
  pace: Partial<SignInPace> = {},
): Promise<AppDeps['sessions']> {
  const { perAddress, perAccount, openIdPerAddress, passwordCost } = { ...SIGN_IN_PACE, ...pace };
  const openId = signIn.openId && (await import('../access/openid.js')).createOpenIdProvider(signIn.openId);
  return {
    deps: {
      management,
      passwords: signIn.localAccounts ? createPasswords(passwordCost) : undefined,
      openId,
    },
    limits: {
      byAddress: limits.create('sign-in:address', { perMinute: perAddress, burst: 0 }),
      byAccount: limits.create('sign-in:account', { perMinute: perAccount, burst: 0 }),
      openIdByAddress: limits.create('sign-in:led', { perMinute: openIdPerAddress, burst: 0 }),
    },
  };
}
