import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookSecret } from '../store/records/webhook.ts';

const PREFIX = 'whsec_';

/** A new secret as Standard Webhooks writes it: `whsec_` and the base64 of 32 random bytes. */
export function newSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

export interface Signed {
  /** Names the message, the same for each attempt. */
  webhookId: string;
  body: string;
  secrets: readonly WebhookSecret[];
  now: Date;
}

/**
 * The headers by which a receiver knows who sent a message and when: those of Standard Webhooks, with a signature for
 * each secret in force, and the older `x-amity-signature` (legacy-facts §4.1), which has room for the newest alone.
 */
export function signatureHeaders({ webhookId, body, secrets, now }: Signed): { [name: string]: string } {
  const timestamp = Math.floor(now.getTime() / 1_000);
  const inForce = secretsInForce(secrets, now);
  const signatures = inForce.map(({ key }) => {
    const bytes = Buffer.from(key.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', bytes).update(`${webhookId}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
    'x-amity-signature': createHmac('sha256', inForce[0]!.key).update(body).digest('base64'),
  };
}

/** The newest first; never none, for the newest has no end. */
export function secretsInForce(secrets: readonly WebhookSecret[], now: Date): WebhookSecret[] {
  return secrets.filter(({ endsAt }) => endsAt === null || endsAt > now);
}
