import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that name one client: networks usually assign a /64 to each, who then has 2^64 addresses. */
const IPV6_PREFIX = 64;

/** The client that an address belongs to, for limits: an IPv4 address, or the /64 network of an IPv6 address. */
export function clientKeyOf(address: string | undefined): string {
  // A link-local address may carry its interface: fe80::1%eth0.
  const plain = (address ?? '').replace(/%.*$/s, '');
  if (!ipaddr.isValid(plain)) return address ?? '';
  const parsed = ipaddr.process(plain);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const [first, second, third, fourth] = (parsed as ipaddr.IPv6).parts;
  return `${[first, second, third, fourth].map((part) => part!.toString(16)).join(':')}::/${IPV6_PREFIX}`;
}
