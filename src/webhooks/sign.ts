import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookSecret } from '../store/records/webhook.ts';

const PREFIX = 'whsec_';

/** Generates a secret in the form of Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export function newSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

export interface Signed {
  /** Id of the message, the same for each attempt. */
  webhookId: string;
  body: string | Buffer;
  secrets: readonly WebhookSecret[];
  now: Date;
}

/**
 * Headers by which a receiver verifies sender and time: those of Standard Webhooks, with a signature for each valid
 * secret, and the older `x-amity-signature` (`docs/interface.md#webhooks`), which holds one signature, of the newest secret.
 */
export function signatureHeaders({ webhookId, body, secrets, now }: Signed): { [name: string]: string } {
  const timestamp = Math.floor(now.getTime() / 1_000);
  const valid = validSecrets(secrets, now);
  const signatures = valid.map(({ key }) => {
    const bytes = Buffer.from(key.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', bytes).update(`${webhookId}.${timestamp}.`).update(body).digest('base64')}`;
  });
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
    'x-amity-signature': createHmac('sha256', valid[0]!.key).update(body).digest('base64'),
  };
}

/** Valid secrets, newest first. The newest never expires, so there is at least one. */
export function validSecrets(secrets: readonly WebhookSecret[], now: Date): WebhookSecret[] {
  return secrets.filter(({ endsAt }) => endsAt === null || endsAt > now);
}
