import { BlockList, isIP } from 'node:net';

/** The names that Fastify's `trustProxy` accepts instead of addresses. */
const NAMED: { [name: string]: readonly string[] } = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Maximum addresses whose check is remembered. */
const MAX_KNOWN = 1_000;

/** Returns a predicate: whether an address is one of the reverse proxies of `TRUST_PROXY`. */
export function createProxyCheck(trustProxy: string | undefined): (address: string) => boolean {
  const list = new BlockList();
  const entries = (trustProxy ?? '').split(',').map((entry) => entry.trim());
  for (const entry of entries.flatMap((entry) => NAMED[entry] ?? [entry])) {
    const [address = '', bits] = entry.split('/');
    const family = familyOf(address);
    if (!family) continue;
    if (bits === undefined) list.addAddress(address, family);
    else if (/^\d+$/.test(bits)) list.addSubnet(address, Number(bits), family);
  }
  if (list.rules.length === 0) return () => false;
  const known = new Map<string, boolean>();
  return (address) => {
    let isProxy = known.get(address);
    if (isProxy === undefined) {
      const family = familyOf(address);
      isProxy = family !== null && list.check(address, family);
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(address, isProxy);
    }
    return isProxy;
  };
}

/** Removes the prefix of IPv4 addresses on a dual-stack server: `::ffff:192.0.2.1`. */
export function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.)/, '');
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address);
  return version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : null;
}
