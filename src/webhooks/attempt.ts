import { unavailability } from '../database-errors.ts';
import { OperationError } from '../errors.ts';
import type { Collections } from '../store/collections.ts';
import type { EventRecord } from '../store/records/event.ts';
import type { WebhookAttempt, WebhookDeliveryRecord, WebhookEndpointRecord } from '../store/records/webhook.ts';
import type { Tell } from './due-notifier.ts';
import type { EndpointNow } from './endpoint-cache.ts';
import { hold, noteDelivered, noteFailed, noteGone, type OnDisabled, silenceOf } from './health.ts';
import { carriesToken, PING, webhookIdOf } from './names.ts';
import { type Answer, type Outcome, outcomeOf } from './outcome.ts';
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
  /** The endpoint as it stands when a turn has come. */
  endpointNow: EndpointNow;
  /** Tells the endpoint of what is given back. */
  tell: Tell;
  /** When there is no time left for a call before somebody else may try. */
  leaseMs: number;
  /** Ends the call; then the delivery is given back untried. */
  signal: AbortSignal;
}

/** Tries a delivery that was claimed, and writes down what came of it. */
export async function attempt(
  options: AttemptOptions,
  endpoint: WebhookEndpointRecord,
  delivery: WebhookDeliveryRecord,
  terms: AttemptTerms,
): Promise<void> {
  const made = await bodyOf(options, endpoint, delivery);
  if (made === 'lost') return;
  if (made === 'nothing') return drop(options, delivery);
  if ('excess' in made) return refuse(options, delivery, made.excess);
  const conclude = await terms.takeTurn(() => tryNow(options, delivery, made, terms));
  await conclude?.();
}

/** @returns what is left to be noted when the next one may have its turn */
async function tryNow(
  options: AttemptOptions,
  delivery: WebhookDeliveryRecord,
  made: Rendered | Answer,
  { endpointNow, tell, leaseMs, signal }: AttemptTerms,
): Promise<(() => Promise<void>) | null> {
  const endpoint = await endpointNow.get();
  const attemptedAt = options.now();
  if (!endpoint) return () => drop(options, delivery);
  const silence = silenceOf(endpoint, attemptedAt);
  if (silence) return () => giveBack(options, delivery, silence === 'disabled' ? null : () => tell(silence));
  const leftMs = delivery.dueAt.getTime() - attemptedAt.getTime();
  if (signal.aborted || leftMs < leaseMs / 4) return () => giveBack(options, delivery, () => tell(attemptedAt));
  const start = performance.now();
  const answer = 'body' in made ? await call(options, endpoint, { delivery, body: made.body, signal }) : made;
  if (signal.aborted && answer.status === null) return () => giveBack(options, delivery, () => tell(options.now()));
  const tried: Tried = { attemptedAt, durationMs: Math.round(performance.now() - start), answer };
  const outcome = outcomeOf(answer, options.now());
  if (outcome.kind === 'delivered') return () => noteSuccess(options, { endpoint, endpointNow, delivery }, tried);
  // The next one is to know of it.
  await noteFailure(options, { endpoint, endpointNow, delivery, isCalled: 'body' in made }, tried, outcome);
  return null;
}

interface Rendered {
  body: string;
}

/** A body that exceeds a limit; `excess` names it. */
interface Oversized {
  excess: string;
}

/** @returns the failure to make it as if it had been answered; `lost` when the delivery is somebody else's by now */
async function bodyOf(
  { writer, renderBody, onRenderError }: AttemptOptions,
  endpoint: WebhookEndpointRecord,
  delivery: WebhookDeliveryRecord,
): Promise<Rendered | Oversized | Answer | 'nothing' | 'lost'> {
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
    if (error instanceof OperationError && error.errorName === 'TOO_LARGE') return { excess: error.message };
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
    hidden: [...secrets.map(({ key }) => key), ...(accessToken === null ? [] : [accessToken])],
    signal,
  });
}

interface Tried {
  attemptedAt: Date;
  durationMs: number;
  answer: Answer;
}

interface Concerned {
  endpoint: WebhookEndpointRecord;
  endpointNow: EndpointNow;
  delivery: WebhookDeliveryRecord;
}

async function noteSuccess(
  options: AttemptOptions,
  { endpoint, endpointNow, delivery }: Concerned,
  tried: Tried,
): Promise<void> {
  await record(options, delivery, tried, { state: 'delivered', deliveredAt: options.now() });
  if (await noteDelivered(options.collections, endpoint)) endpointNow.spoil();
}

async function noteFailure(
  options: AttemptOptions,
  { endpoint, endpointNow, delivery, isCalled }: Concerned & { isCalled: boolean },
  tried: Tried,
  outcome: Exclude<Outcome, { kind: 'delivered' }>,
): Promise<void> {
  const { collections, onDisabled, random } = options;
  const now = options.now();
  const isPing = delivery.event === PING;
  const waitMs = outcome.kind === 'failed' ? outcome.waitMs : 0;
  if (waitMs > 0) await hold(collections, endpoint, new Date(now.getTime() + waitMs));
  const pause = outcome.kind === 'gone' || isPing ? null : pauseAfter(delivery.attemptCount + 1, random());
  if (pause === null) {
    await record(options, delivery, tried, { state: 'failed' }, outcome.error);
  } else {
    const dueAt = new Date(now.getTime() + Math.max(pause, waitMs));
    await record(options, delivery, tried, { dueAt }, outcome.error);
    await announce(collections, delivery, dueAt);
  }
  if (outcome.kind === 'gone') {
    if (await noteGone(collections, endpoint, now)) onDisabled(endpoint, 'gone');
  } else if (isCalled && !isPing && (await noteFailed(collections, endpoint, now))) onDisabled(endpoint, 'failing');
  endpointNow.spoil();
}

function record(
  { writer, now }: AttemptOptions,
  delivery: WebhookDeliveryRecord,
  { attemptedAt, durationMs, answer: { status, response } }: Tried,
  changes: Partial<WebhookDeliveryRecord>,
  error: string | null = null,
): Promise<void> {
  const made: WebhookAttempt = { attemptedAt, durationMs, status, error, response };
  return writer.change(delivery, {
    $set: { ...changes, attemptCount: delivery.attemptCount + 1, lease: null, updatedAt: now() },
    $push: { attempts: { $each: [made], $slice: -KEPT_ATTEMPTS } },
  });
}

/**
 * Ends a delivery whose body exceeds a limit: another attempt would render the same body again, and the receiver, which
 * was not called, is not failing.
 */
async function refuse(options: AttemptOptions, delivery: WebhookDeliveryRecord, excess: string): Promise<void> {
  const answer: Answer = { status: null, error: excess, retryAfter: null, response: null };
  const tried: Tried = { attemptedAt: options.now(), durationMs: 0, answer };
  await record(options, delivery, tried, { state: 'failed' }, excess);
}

async function drop({ writer, now }: AttemptOptions, delivery: WebhookDeliveryRecord): Promise<void> {
  await writer.change(delivery, { $set: { state: 'dropped', lease: null, updatedAt: now() } });
}

/** For whoever comes next. @param tell says when that may be; null: somebody else will */
async function giveBack(
  { writer, now }: AttemptOptions,
  delivery: WebhookDeliveryRecord,
  tell: (() => Promise<void>) | null,
): Promise<void> {
  const dueAt = now();
  await writer.change(delivery, { $set: { dueAt, lease: null, updatedAt: dueAt } });
  await tell?.();
}
