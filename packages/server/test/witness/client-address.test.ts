import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createClientAddress, type TrustedProxies } from '../../src/platform/net/client-address.js';

const SOCKET = '10.0.0.1';
const clientOf = (trusted: TrustedProxies, forwardedFor?: string, remoteAddress = SOCKET) =>
  createClientAddress(trusted)({
    socket: { remoteAddress },
    headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  } as unknown as IncomingMessage);

describe('the address of a client', () => {
  it.each<[TrustedProxies, string | undefined, string]>([
    [false, '192.0.2.1', SOCKET],
    [0, '192.0.2.1', SOCKET],
    [true, undefined, SOCKET],
    [true, '192.0.2.1, 192.0.2.2', '192.0.2.1'],
    [1, '192.0.2.1, 192.0.2.2', '192.0.2.2'],
    [2, '192.0.2.1, 192.0.2.2', '192.0.2.1'],
    [9, '192.0.2.1, 192.0.2.2', '192.0.2.1'],
    [1, 'not an address', SOCKET],
    [2, 'x, 192.0.2.2', '192.0.2.2'],
    [['10.0.0.0/8'], '192.0.2.1, 10.1.2.3', '192.0.2.1'],
    [['10.0.0.1'], '192.0.2.1, 10.1.2.3', '10.1.2.3'],
    [['10.0.0.2'], '192.0.2.1', SOCKET],
    [['10.0.0.1', '2001:db8::/32'], '192.0.2.1, 2001:db8::5', '192.0.2.1'],
  ])('with the trusted proxies %j and X-Forwarded-For: %s, is %s', (trusted, forwardedFor, client) => {
    expect(clientOf(trusted, forwardedFor)).toBe(client);
  });

  it('is read from the header of a proxy whose IPv4 address the socket shows as IPv6', () => {
    expect(clientOf(['10.0.0.0/8'], '192.0.2.1', '::ffff:10.0.0.1')).toBe('192.0.2.1');
  });
});
