import { z } from 'zod';
import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import {
  AddressError,
  checkedAddresses,
  checkedUrl,
  isLiteral,
  PrivateAddressError,
} from '../../webhooks/address-guard.ts';
import { WEBHOOK_NAMES } from '../../webhooks/names.ts';
import { id, text } from '../input.ts';

/** Validates a GraphQL document that renders the bodies of these events. Returns error messages; none if it is valid. */
export type CheckSelection = (selection: string, events: readonly string[]) => readonly string[];

const KNOWN = new Set(WEBHOOK_NAMES);

export const endpointFields = {
  url: text({ max: 2_000 }).describe('http or https URL without credentials; private addresses are rejected.'),
  events: z
    .array(z.string().refine((name) => KNOWN.has(name), 'must be the name of a webhook event'))
    .min(1, 'at least 1')
    .max(WEBHOOK_NAMES.length)
    .transform((given) => [...new Set(given)])
    .describe('Names of the events to send, such as `v3.post.didCreate`.'),
  method: z.enum(['POST', 'GET']).describe('HTTP method. Default on creation: POST.'),
  // Only characters that are valid in a header.
  accessToken: text({ max: 2_000 })
    .regex(/^[\x21-\x7e]+$/, 'must consist of visible ASCII characters')
    .describe(
      'Bearer token in the `Authorization` header of the two `push-notification/…` events, in printable ASCII. It is never returned. Null removes it; so does a new URL of another origin.',
    ),
  selection: text({ max: 10_000 }).describe(
    'GraphQL document whose subscriptions select the request body; null for the documented REST form.',
  ),
};

export const endpointIdInput = z.object({ endpointId: id().describe('Public id of the endpoint.') });

/** Limit of the DNS lookup when an endpoint is saved. */
const LOOKUP_MS = 2_000;

/**
 * The normalized URL. A host that does not resolve now is accepted, because each delivery resolves it again.
 * @throws {OperationError} INVALID_PARAMETERS for a URL that deliveries are not sent to
 */
export async function checkEndpointUrl({ config, resolveHost }: Context, given: string): Promise<string> {
  const addressOptions = { allowPrivate: config.WEBHOOK_ALLOW_PRIVATE, resolve: resolveHost };
  try {
    const url = checkedUrl(given, addressOptions);
    if (!isLiteral(url)) await within(LOOKUP_MS, checkedAddresses(url.hostname, addressOptions));
    return url.href;
  } catch (error) {
    if (!(error instanceof AddressError)) return new URL(given).href;
    // Only administrators of the network save endpoints, so the message may name a setting of the gateway.
    const remedy = error instanceof PrivateAddressError ? ' WEBHOOK_ALLOW_PRIVATE=true allows it.' : '';
    throw new OperationError('INVALID_PARAMETERS', { detail: [`url: ${error.message}${remedy}`], path: ['url'] });
  }
}

function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** @throws {OperationError} INVALID_PARAMETERS for a selection that cannot render the bodies of these events */
export function checkEndpointSelection(check: CheckSelection, selection: string, events: readonly string[]): void {
  const problems = check(selection, events);
  if (problems.length === 0) return;
  const detail = problems.slice(0, 20).map((problem) => `selection: ${problem}`);
  throw new OperationError('INVALID_PARAMETERS', { detail, path: ['selection'] });
}
