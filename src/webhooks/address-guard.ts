import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Resolves a host to all its addresses. */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

export interface AddressOptions {
  /** Whether addresses of this machine and of private networks are allowed. */
  allowPrivate: boolean;
  resolve: Resolve;
}

/** An address to which no webhook is sent. The message contains no address, which would reveal the operator's network. */
export class AddressError extends Error {}

/** An address of this machine or of a private network, which a setting can allow. */
export class PrivateAddressError extends AddressError {
  constructor() {
    super('The host is not a public address.');
  }
}

const MAX_URL = 2_000;

/**
 * Parses and normalizes the URL of a webhook; `http://0x7f.1` and `http://2130706433` both become `127.0.0.1`.
 * @throws {AddressError} for anything but http and https, for credentials, and for an address that is not public
 */
export function checkedUrl(text: string, { allowPrivate }: Pick<AddressOptions, 'allowPrivate'>): URL {
  const url = text.length <= MAX_URL && URL.canParse(text) ? new URL(text) : null;
  if (!url) throw new AddressError(`Not a URL of at most ${MAX_URL.toLocaleString('en')} characters.`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new AddressError('Only http and https are supported.');
  if (url.username || url.password) throw new AddressError('A URL must not contain a user name or password.');
  const address = literalAddress(url);
  if (address !== null && !allowPrivate && !isPublicAddress(address)) throw new PrivateAddressError();
  return url;
}

/** Whether the URL contains an address instead of a name, so that nothing is resolved. */
export function isLiteral(url: URL): boolean {
  return literalAddress(url) !== null;
}

function literalAddress({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? bare : null;
}

/** The prefix of all global unicast addresses (RFC 4291 §2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is on the public internet: not of this machine, a private, shared or link-local network, a
 * multicast group or a reserved range. IPv6 addresses that embed an IPv4 address are judged by the latter.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return isPublicIpv4(parsed);
  if (parsed.isIPv4MappedAddress()) return isPublicIpv4(parsed.toIPv4Address());
  // IPv6-only networks reach every IPv4 host under this prefix (RFC 6052).
  if (isWellKnownNat64(parsed)) return isPublicIpv4(new ipaddr.IPv4(parsed.toByteArray().slice(12)));
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_IPV6);
}

/** The host of Azure's virtual machines, although its address is publicly routable. */
const AZURE_HOST = '168.63.129.16';

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_HOST;
}

const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

function isWellKnownNat64(address: ipaddr.IPv6): boolean {
  return address.match(NAT64);
}

/**
 * Resolves a host once and checks the result. The connection uses exactly these addresses, so a later change of the
 * DNS record has no effect.
 * @throws {AddressError} when one of the host's addresses is not public
 */
export async function checkedAddresses(
  host: string,
  { allowPrivate, resolve }: AddressOptions,
): Promise<LookupAddress[]> {
  const addresses = await resolve(host);
  if (addresses.length === 0) throw new AddressError('The host has no address.');
  if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) throw new PrivateAddressError();
  return addresses;
}

/** The same as a lookup function, which `node:net` calls for each connection to a name. */
export function checkedLookup(options: AddressOptions): LookupFunction {
  return (host, { all }, callback) => {
    checkedAddresses(host, options).then(
      (addresses) => {
        if (all) callback(null, addresses);
        else callback(null, addresses[0]!.address, addresses[0]!.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
