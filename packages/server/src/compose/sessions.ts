import { PASSWORD_COST, type PasswordCost } from '../access/passwords/password-hash.js';
import type { Config } from '../config.js';
import type { AppDeps } from '../http/app.js';
import type { ManagementDeps } from '../management/deps.js';
import { createPasswords } from '../management/sessions/passwords.js';
import type { OpenLimits } from './limits.js';

/** Limits per minute, and the cost of a password hash. */
export interface SignInPace {
  perAddress: number;
  /** Attempts from one address at one account. */
  perAddressAndAccount: number;
  /** Attempts from all addresses at one account. */
  perAccount: number;
  /** Requests per address for the two steps of a sign-in with an OpenID provider. */
  openIdPerAddress: number;
  passwordCost: PasswordCost;
}

/**
 * While the attempts at an account reach `perAccount`, its user cannot sign in from a new network. So `perAccount` is
 * high, and the attempts of one network alone cannot reach it. It allows 53 million guesses a year. A password of 12
 * random lower-case letters has 10^17 possible values.
 */
const SIGN_IN_PACE: SignInPace = {
  perAddress: 10,
  perAddressAndAccount: 5,
  perAccount: 100,
  openIdPerAddress: 30,
  passwordCost: PASSWORD_COST,
};

export async function createSessions(
  { signIn, work }: Config,
  { management, limits }: { management: { deps: ManagementDeps }; limits: Pick<OpenLimits, 'create'> },
  pace: Partial<SignInPace> = {},
): Promise<AppDeps['sessions'] & { close(): Promise<void> }> {
  const { perAddress, perAddressAndAccount, perAccount, openIdPerAddress, passwordCost } = {
    ...SIGN_IN_PACE,
    ...pace,
  };
  const openId = signIn.openId && (await import('../access/openid.js')).createOpenIdProvider(signIn.openId);
  const passwords = signIn.localAccounts
    ? createPasswords({ cost: passwordCost, maxWaiting: signIn.maxWaiting, maxWaitMs: work.maxWaitMs })
    : undefined;
  return {
    deps: { management: management.deps, passwords, openId },
    limits: {
      byAddress: limits.create('sign-in:address', { perMinute: perAddress, burst: 0 }),
      byAddressAndAccount: limits.create('sign-in:pair', { perMinute: perAddressAndAccount, burst: 0 }),
      byAccount: limits.create('sign-in:account', { perMinute: perAccount, burst: 0 }),
      openIdByAddress: limits.create('sign-in:led', { perMinute: openIdPerAddress, burst: 0 }),
    },
    close: async () => passwords?.close(),
  };
}
