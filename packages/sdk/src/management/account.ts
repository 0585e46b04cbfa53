import type { Network, User, UserInput } from '@colophon/model';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** The user for whom the client acts, and the blockchain for anchors. */
export interface Account {
  /**
   * Returns the user. The first call creates the user.
   *
   * @example
   * (await management.account.get()).id; // => 'ann'
   */
  get(options?: CallOptions): Promise<User>;
  /**
   * Changes the profile of the user. Null removes a value. Throws `ApiError` `ValidationError`.
   *
   * @example
   * (await management.account.update({ name: 'Ann' })).name; // => 'Ann'
   */
  update(user: UserInput, options?: CallOptions): Promise<User>;
  /**
   * Returns the blockchain on which the service anchors logs or actions, if any.
   *
   * @example
   * (await management.account.network()).configured; // => false
   */
  network(options?: CallOptions): Promise<Network>;
}

export function createAccount({ ask }: Transport): Account {
  return {
    get: (options) => ask({ method: 'GET', path: '/users/me' }, options),
    update: (json, options) => ask({ method: 'PUT', path: '/users/me', json }, options),
    network: (options) => ask({ method: 'GET', path: '/network' }, options),
  };
}
