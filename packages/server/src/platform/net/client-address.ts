import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Proxies whose `X-Forwarded-For` is trusted: all, none, the nearest ones by number, or these addresses and blocks. */
export type TrustedProxies = boolean | number | readonly string[];

/**
 * Returns the first address that belongs to no trusted proxy: the address of the connection, or an entry of
 * `X-Forwarded-For`, read from the last to the first. A missing or invalid entry ends the search at the address
 * before it.
 */
export function createClientAddress(trusted: TrustedProxies): (request: IncomingMessage) => string {
  const isProxy = createIsProxy(trusted);
  return ({ socket, headers }) => {
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    const hops = [socket.remoteAddress ?? '', ...forwarded.map((one) => one.trim()).reverse()];
    const place = hops.findIndex((address, hop) => !isProxy(address, hop) || isIP(hops[hop + 1] ?? '') === 0);
    return hops[place] ?? '';
  };
}

/** `hop` is 0 for the address of the connection. */
export function createIsProxy(trusted: TrustedProxies): (address: string, hop: number) => boolean {
  if (typeof trusted === 'boolean') return () => trusted;
  if (typeof trusted === 'number') return (_address, hop) => hop < trusted;
  const blocks = new BlockList();
  for (const range of trusted) {
    const [address = '', prefix] = range.split('/');
    if (prefix === undefined) blocks.addAddress(address, familyOf(address));
    else blocks.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
    return isIP(plain) !== 0 && blocks.check(plain, familyOf(plain));
  };
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Returns the /64 network of an IPv6 address, which is one subscriber. Removes the port that some proxies add. */
export function networkOf(address: string): string {
  const [, bracketed, plain] = /^(?:\[([\da-f:.%]+)\](?::\d+)?|([\d.]+):\d+)$/i.exec(address) ?? [];
  const ip = bracketed ?? plain ?? address;
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(ip) ?? [];
  if (mapped !== undefined || !isIPv6(ip)) return mapped ?? ip;
  const toGroups = (text: string) => text.split(':').filter(Boolean);
  const [left = '', right = ''] = ip
    .replace(/%.*$/, '')
    .replace(/[\d.]+\.\d+$/, '0:0')
    .split('::');
  const absent = 8 - toGroups(left).length - toGroups(right).length;
  const groups = [...toGroups(left), ...Array<string>(absent).fill('0'), ...toGroups(right)];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
