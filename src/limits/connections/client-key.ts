import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that identify one client: networks usually assign each client a /64, which has 2^64 addresses. */
const IPV6_PREFIX = 64;

/** Ranges whose last 32 bits are the address of an IPv4 client: NAT64 (RFC 6052) and its stateless form (RFC 6145). */
const TRANSLATED: ReadonlySet<string> = new Set(['rfc6052', 'rfc6145']);

/**
 * The client that an address belongs to, for limits: an IPv4 address, also of a client behind NAT64, a link-local address,
 * or the /64 network of any other IPv6 address.
 */
export function clientKeyOf(address: string | undefined): string {
  // A link-local address may carry its interface: fe80::1%eth0.
  const plain = (address ?? '').replace(/%.*$/s, '');
  if (!ipaddr.isValid(plain)) return address ?? '';
  const parsed = ipaddr.process(plain);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const range = parsed.range();
  if (TRANSLATED.has(range)) return new ipaddr.IPv4(parsed.toByteArray().slice(-4)).toString();
  // All hosts of a link share fe80::/64.
  if (range === 'linkLocal') return parsed.toString();
  const [first, second, third, fourth] = parsed.parts;
  return `${[first, second, third, fourth].map((part) => part!.toString(16)).join(':')}::/${IPV6_PREFIX}`;
}
