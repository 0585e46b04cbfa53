import { BlockList, isIP } from 'node:net';

/** IANA's special-purpose registry (RFC 6890), multicast, reserved addresses, and one address of Azure. */
const NOT_PUBLIC_IPV4 = toBlockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  // At this public address, Azure serves secrets to its virtual machines.
  '168.63.129.16/32',
]);

/** Global unicast (RFC 4291 §2.4). Loopback, link-local and unique local addresses are outside this range. */
const GLOBAL_IPV6 = toBlockList('ipv6', ['2000::/3']);

/** Protocol assignments (with Teredo), documentation, and 6to4, which can lead to any IPv4 address. */
const SPECIAL_IPV6 = toBlockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false;
  switch (isIP(address)) {
    case 4:
      return !NOT_PUBLIC_IPV4.check(address, 'ipv4');
    case 6: {
      const embedded = readEmbeddedIPv4(address);
      if (embedded !== undefined) return isPublicAddress(embedded);
      return GLOBAL_IPV6.check(address, 'ipv6') && !SPECIAL_IPV6.check(address, 'ipv6');
    }
    default:
      return false;
  }
}

/** Returns the IPv4 address in a mapped address (RFC 4291 §2.5.5.2) or a NAT64 address (RFC 6052 §2.1). */
function readEmbeddedIPv4(address: string): string | undefined {
  const { hostname } = new URL(`http://[${address}]`);
  const [, high, low] = /^\[(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const bytes = [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((two) => [two >> 8, two & 255]);
  return bytes.join('.');
}

function toBlockList(family: 'ipv4' | 'ipv6', blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [network = '', prefix] = block.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
