import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All addresses of a host. */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

export interface GuardOptions {
  /** Whether addresses that only this machine or network reaches are allowed. */
  allowPrivate: boolean;
  resolve: Resolve;
}

/** Webhooks do not go there. The message names no address: whoever reads it may not know the network behind it. */
export class AddressError extends Error {}

const MAX_URL = 2_000;
const NOT_PUBLIC = 'The host is not a public address.';

/**
 * The URL of a webhook in its normal form, in which `http://0x7f.1` and `http://2130706433` are both `127.0.0.1`.
 * @throws {AddressError} for anything but http and https, for credentials, and for an address that is not public
 */
export function checkedUrl(text: string, { allowPrivate }: Pick<GuardOptions, 'allowPrivate'>): URL {
  const url = text.length <= MAX_URL && URL.canParse(text) ? new URL(text) : null;
  if (!url) throw new AddressError(`Not a URL of at most ${MAX_URL.toLocaleString('en')} characters.`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new AddressError('Only http and https are possible.');
  if (url.username || url.password) throw new AddressError('A URL with a user name or password is not taken.');
  const address = literalAddress(url);
  if (address !== null && !allowPrivate && !isPublicAddress(address)) throw new AddressError(NOT_PUBLIC);
  return url;
}

/** Whether an address stands in the URL itself: it is connected to without any look-up. */
export function isLiteral(url: URL): boolean {
  return literalAddress(url) !== null;
}

function literalAddress({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? bare : null;
}

/** The `/3` of all unicast addresses that the world routes. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address leads to the internet: not to this machine, a private, shared or local network, a group or a
 * range kept for special purposes, also by way of IPv6 addresses that hold an IPv4 one.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return isPublicIpv4(parsed);
  if (parsed.isIPv4MappedAddress()) return isPublicIpv4(parsed.toIPv4Address());
  // Networks that speak IPv6 alone reach every IPv4 host under this prefix.
  if (isWellKnownNat64(parsed)) return isPublicIpv4(new ipaddr.IPv4(parsed.toByteArray().slice(12)));
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_IPV6);
}

/** Azure's machines reach their host under it, though the world routes it. */
const AZURE_HOST = '168.63.129.16';

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_HOST;
}

const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

function isWellKnownNat64(address: ipaddr.IPv6): boolean {
  return address.match(NAT64);
}

/**
 * Resolves a host once and hands out what was checked: the connection goes to exactly these addresses, whatever the
 * name says a moment later.
 * @throws {AddressError} when one of the host's addresses is not public
 */
export async function checkedAddresses(
  host: string,
  { allowPrivate, resolve }: GuardOptions,
): Promise<LookupAddress[]> {
  const addresses = await resolve(host);
  if (addresses.length === 0) throw new AddressError('The host has no address.');
  if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) throw new AddressError(NOT_PUBLIC);
  return addresses;
}

/** The same for `node:net`, which asks it for each connection it opens to a name. */
export function guardedLookup(options: GuardOptions): LookupFunction {
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
