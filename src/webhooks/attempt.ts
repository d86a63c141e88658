import type { Collections } from '../store/collections.ts';
import type { EventRecord } from '../store/records/event.ts';
import type { WebhookAttempt, WebhookDeliveryRecord, WebhookEndpointRecord } from '../store/records/webhook.ts';
import { unavailability } from '../unavailable.ts';
import { disable, hold, noteDelivered, noteFailed, type OnDisabled } from './health.ts';
import { carriesToken, PING, webhookIdOf } from './names.ts';
import { type Answer, outcomeOf } from './outcome.ts';
import { announce } from './queue.ts';
import { pauseAfter } from './schedule.ts';
import type { Send } from './send.ts';
import { signatureHeaders } from './sign.ts';
import type { Writer } from './writer.ts';

/** Makes the body of a delivery as its receiver is to see it; null: there is nothing to tell any more. */
export type RenderBody = (
  live: { event: EventRecord; cursor: string },
  endpoint: Pick<WebhookEndpointRecord, 'selection'>,
) => Promise<string | null>;

export interface AttemptOptions {
  collections: Collections;
  writer: Writer;
  renderBody: RenderBody;
  send: Send;
  now(): Date;
  random(): number;
  onDisabled: OnDisabled;
  /** Told of a body that could not be made. */
  onRenderError(error: unknown): void;
}

const USER_AGENT = 'Colloquy-Webhooks/1';
/** Attempts that a delivery keeps; replays add to those of the schedule. */
const KEPT_ATTEMPTS = 30;

export interface AttemptTerms {
  /** Bounds the calls that are under way to the endpoint. */
  takeTurn<Result>(call: () => Promise<Result>): Promise<Result>;
  /** Ends the call; then the delivery is given back untried. */
  signal: AbortSignal;
}

/** Tries a delivery that was claimed, and writes down what came of it. */
export async function attempt(
  options: AttemptOptions,
  endpoint: WebhookEndpointRecord,
  delivery: WebhookDeliveryRecord,
  { takeTurn, signal }: AttemptTerms,
): Promise<void> {
  const made = await bodyOf(options, endpoint, delivery);
  if (made === 'lost') return;
  if (made === 'nothing') return drop(options, delivery);
  const tried = await takeTurn(async (): Promise<Tried> => {
    const attemptedAt = options.now();
    const start = performance.now();
    const answer = 'body' in made ? await call(options, endpoint, { delivery, body: made.body, signal }) : made;
    return { attemptedAt, durationMs: Math.round(performance.now() - start), answer };
  });
  if (signal.aborted && tried.answer.status === null) return giveBack(options, delivery);
  await conclude(options, endpoint, delivery, tried);
}

/** @returns the failure to make it as if it had been answered; `lost` when the delivery is somebody else's by now */
async function bodyOf(
  { writer, renderBody, onRenderError }: AttemptOptions,
  endpoint: WebhookEndpointRecord,
  delivery: WebhookDeliveryRecord,
): Promise<{ body: string } | Answer | 'nothing' | 'lost'> {
  if (delivery.body !== null) return { body: delivery.body };
  const { source } = delivery;
  if (source === null) return 'nothing';
  try {
    const body = await renderBody({ event: source, cursor: delivery.cursor ?? source.eventId }, endpoint);
    if (body === null) return 'nothing';
    return (await writer.keepBody(delivery, body)) ? { body } : 'lost';
  } catch (error) {
    // Nobody's fault: the lease ends and somebody tries again.
    if (unavailability(error)) throw error;
    onRenderError(error);
    return { status: null, error: 'the body could not be made', retryAfter: null, response: null };
  }
}

interface Body {
  delivery: WebhookDeliveryRecord;
  body: string;
  signal: AbortSignal;
}

function call(
  { send, now }: AttemptOptions,
  { url, method, secrets, accessToken }: WebhookEndpointRecord,
  { delivery: { eventId, event }, body, signal }: Body,
): Promise<Answer> {
  return send({
    url,
    method,
    headers: {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...signatureHeaders({ webhookId: webhookIdOf(eventId), body, secrets, now: now() }),
      ...(accessToken !== null && carriesToken(event) && { authorization: `Bearer ${accessToken}` }),
    },
    body,
    signal,
  });
}

interface Tried {
  attemptedAt: Date;
  durationMs: number;
  answer: Answer;
}

async function conclude(
  options: AttemptOptions,
  endpoint: WebhookEndpointRecord,
  delivery: WebhookDeliveryRecord,
  { attemptedAt, durationMs, answer }: Tried,
): Promise<void> {
  const { collections, writer, onDisabled, random } = options;
  const now = options.now();
  const outcome = outcomeOf(answer, now);
  const made: WebhookAttempt = {
    attemptedAt,
    durationMs,
    status: answer.status,
    error: outcome.kind === 'delivered' ? null : outcome.error,
    response: answer.response,
  };
  const attemptCount = delivery.attemptCount + 1;
  const $push = { attempts: { $each: [made], $slice: -KEPT_ATTEMPTS } };
  const record = (changes: Partial<WebhookDeliveryRecord>) =>
    writer.change(delivery, { $set: { ...changes, attemptCount, lease: null, updatedAt: now }, $push });

  if (outcome.kind === 'delivered') {
    await record({ state: 'delivered', deliveredAt: now });
    return noteDelivered(collections, endpoint);
  }
  const isPing = delivery.event === PING;
  const pause = outcome.kind === 'gone' || isPing ? null : pauseAfter(attemptCount, random());
  if (pause === null) {
    await record({ state: 'failed' });
  } else {
    const waitMs = outcome.kind === 'failed' ? outcome.waitMs : 0;
    const dueAt = new Date(now.getTime() + Math.max(pause, waitMs));
    await record({ dueAt });
    await announce(collections, delivery, dueAt);
    if (waitMs > 0) await hold(collections, endpoint, new Date(now.getTime() + waitMs));
  }
  if (outcome.kind === 'gone') {
    if (await disable(collections, endpoint, { reason: 'gone', now })) onDisabled(endpoint, 'gone');
  } else if (!isPing && (await noteFailed(collections, endpoint, now))) onDisabled(endpoint, 'failing');
}

async function drop({ writer, now }: AttemptOptions, delivery: WebhookDeliveryRecord): Promise<void> {
  await writer.change(delivery, { $set: { state: 'dropped', lease: null, updatedAt: now() } });
}

/** For whoever comes next, at once. */
async function giveBack({ collections, writer, now }: AttemptOptions, delivery: WebhookDeliveryRecord): Promise<void> {
  const dueAt = now();
  await writer.change(delivery, { $set: { dueAt, lease: null, updatedAt: dueAt } });
  await announce(collections, delivery, dueAt);
}
