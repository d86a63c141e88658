import { ObjectId } from 'mongodb';
import { unavailability } from '../database-errors.ts';
import { OperationError } from '../errors.ts';
import type { LiveEvent } from '../events/log.ts';
import type { Semaphore } from '../lib/semaphore.ts';
import type { Collections } from '../store/collections.ts';
import type { EventRecord } from '../store/records/event.ts';
import type { WebhookAttempt, WebhookDeliveryRecord, WebhookEndpointRecord } from '../store/records/webhook.ts';
import type { BodyStore } from './body-store.ts';
import type { NotifyDue } from './due-notifier.ts';
import type { EndpointCache } from './endpoint-cache.ts';
import { type OnDisabled, pausedUntil, pauseEndpoint, recordFailure, recordGone, recordSuccess } from './health.ts';
import { carriesToken, PING, webhookIdOf } from './names.ts';
import { type Answer, type Outcome, outcomeOf } from './outcome.ts';
import { announceDue } from './queue.ts';
import { pauseAfter } from './schedule.ts';
import type { Send } from './send.ts';
import { signatureHeaders } from './sign.ts';
import type { Writer } from './writer.ts';

/** Renders the body of a delivery for its endpoint; null when the event has nothing left to deliver. */
export type RenderBody = (
  live: LiveEvent,
  endpoint: Pick<WebhookEndpointRecord, 'selection'>,
) => Promise<string | null>;

export interface AttemptOptions {
  collections: Collections;
  bodyStore: BodyStore;
  writer: Writer;
  renderBody: RenderBody;
  send: Send;
  now(): Date;
  random(): number;
  onDisabled: OnDisabled;
  /** Called for the first failure of an endpoint after it last worked, and for each delivery that is given up. */
  onFailed(delivery: WebhookDeliveryRecord, failure: { error: string; isGivenUp: boolean }): void;
  /** Called with errors of rendering a body. */
  onRenderError(error: unknown): void;
}

const USER_AGENT = 'Colloquy-Webhooks/1';
/** Maximum attempts that a delivery stores, since replays repeat the schedule. */
const STORED_ATTEMPTS = 30;

export interface AttemptTerms {
  /** Bounds the concurrent calls to the endpoint. */
  semaphore: Semaphore;
  /** The current endpoint, read when the call may start. */
  endpointCache: EndpointCache;
  /** Announces released deliveries. */
  notifyDue: NotifyDue;
  /** Length of the lease. No call starts in its last quarter, since another process may claim the delivery afterwards. */
  leaseMs: number;
  /** Aborts the call and releases the delivery without counting an attempt. */
  signal: AbortSignal;
}

/** A delivery that this process holds. */
export interface HeldDelivery {
  delivery: WebhookDeliveryRecord;
  /** Its body, if it was stored by this process just now. */
  body?: Buffer;
}

/** Attempts a delivery, and records the result. */
export async function attempt(
  options: AttemptOptions,
  endpoint: WebhookEndpointRecord,
  { delivery, body }: HeldDelivery,
  terms: AttemptTerms,
): Promise<void> {
  const rendered = body ? { body } : await bodyOf(options, endpoint, delivery);
  if (rendered === 'lost') return;
  if (rendered === 'nothing') return drop(options, delivery);
  if ('refusal' in rendered) return refuse(options, delivery, rendered.refusal);
  const conclude = await terms.semaphore(() => attemptNow(options, delivery, rendered, terms));
  await conclude?.();
}

/** @returns writes for which the next call need not wait; null when there are none */
async function attemptNow(
  options: AttemptOptions,
  delivery: WebhookDeliveryRecord,
  rendered: RenderedBody | Answer,
  { endpointCache, notifyDue, leaseMs, signal }: AttemptTerms,
): Promise<(() => Promise<void>) | null> {
  const endpoint = await endpointCache.get();
  const attemptedAt = options.now();
  if (!endpoint) return () => drop(options, delivery);
  const paused = pausedUntil(endpoint, attemptedAt);
  if (paused) return () => release(options, delivery, paused === 'disabled' ? null : () => notifyDue(paused));
  const leftMs = delivery.dueAt.getTime() - attemptedAt.getTime();
  if (signal.aborted || leftMs < leaseMs / 4) return () => release(options, delivery, () => notifyDue(attemptedAt));
  const start = performance.now();
  const answer =
    'body' in rendered ? await call(options, endpoint, { delivery, body: rendered.body, signal }) : rendered;
  if (signal.aborted && answer.status === null) return () => release(options, delivery, () => notifyDue(options.now()));
  const result: AttemptResult = { attemptedAt, durationMs: Math.round(performance.now() - start), answer };
  const outcome = outcomeOf(answer, options.now());
  if (outcome.kind === 'delivered') return () => noteSuccess(options, { endpoint, endpointCache, delivery }, result);
  // The failure is recorded before the next call starts, which depends on it.
  await noteFailure(options, { endpoint, endpointCache, delivery, isCalled: 'body' in rendered }, result, outcome);
  return null;
}

interface RenderedBody {
  body: Buffer;
}

/** Why a body cannot be sent now or later. */
interface Unsendable {
  refusal: string;
}

/** @returns a failure to render in the form of an answer; `lost` when another process holds the delivery now */
async function bodyOf(
  options: AttemptOptions,
  endpoint: WebhookEndpointRecord,
  delivery: WebhookDeliveryRecord,
): Promise<RenderedBody | Unsendable | Answer | 'nothing' | 'lost'> {
  const { bodyStore, writer, renderBody, onRenderError } = options;
  const { bodyId } = delivery;
  if (delivery.body !== null) return { body: Buffer.from(delivery.body) };
  const known = bodyId === undefined ? null : await bodyStore.load(delivery, bodyId);
  if (known) return { body: known.bytes };
  const source = await sourceOf(options, delivery);
  if (source === null) return bodyId === undefined ? 'nothing' : { refusal: 'the body is no longer stored' };
  try {
    const body = await renderBody({ event: source, cursor: delivery.cursor ?? source.eventId }, endpoint);
    if (body === null) return 'nothing';
    const stored = await writer.storeBody(delivery, body);
    return stored ? { body: stored.bytes } : 'lost';
  } catch (error) {
    // Transient: the lease ends, and the delivery is attempted again.
    if (unavailability(error)) throw error;
    if (error instanceof OperationError && error.errorName === 'TOO_LARGE') return { refusal: error.message };
    onRenderError(error);
    return { status: null, error: 'the body could not be rendered', retryAfter: null, response: null };
  }
}

/** A delivery that was stored with its body has no source: the log has it when an erasure has removed the body. */
async function sourceOf(
  { collections }: AttemptOptions,
  { networkId, eventId, event, source }: WebhookDeliveryRecord,
): Promise<EventRecord | null> {
  if (source !== null || event === PING) return source;
  return collections.events.findOne({ networkId, _id: new ObjectId(eventId) });
}

interface Body {
  delivery: WebhookDeliveryRecord;
  body: Buffer;
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

interface AttemptResult {
  attemptedAt: Date;
  durationMs: number;
  answer: Answer;
}

interface Target {
  endpoint: WebhookEndpointRecord;
  endpointCache: EndpointCache;
  delivery: WebhookDeliveryRecord;
}

async function noteSuccess(
  options: AttemptOptions,
  { endpoint, endpointCache, delivery }: Target,
  result: AttemptResult,
): Promise<void> {
  await record(options, delivery, result, { state: 'delivered', deliveredAt: options.now() });
  if (await recordSuccess(options.collections, endpoint)) endpointCache.invalidate();
}

async function noteFailure(
  options: AttemptOptions,
  { endpoint, endpointCache, delivery, isCalled }: Target & { isCalled: boolean },
  result: AttemptResult,
  outcome: Exclude<Outcome, { kind: 'delivered' }>,
): Promise<void> {
  const { collections, onDisabled, onFailed, random } = options;
  const now = options.now();
  const isPing = delivery.event === PING;
  const waitMs = outcome.kind === 'failed' ? outcome.waitMs : 0;
  if (waitMs > 0) await pauseEndpoint(collections, endpoint, new Date(now.getTime() + waitMs));
  const pause = outcome.kind === 'gone' || isPing ? null : pauseAfter(delivery.attemptCount + 1, random());
  if (pause === null) {
    await record(options, delivery, result, { state: 'failed' }, outcome.error);
  } else {
    const dueAt = new Date(now.getTime() + Math.max(pause, waitMs));
    await record(options, delivery, result, { dueAt }, outcome.error);
    await announceDue(collections, delivery, dueAt);
  }
  if (pause === null || endpoint.failingSince === null)
    onFailed(delivery, { error: outcome.error, isGivenUp: pause === null });
  if (outcome.kind === 'gone') {
    if (await recordGone(collections, endpoint, now)) onDisabled(endpoint, 'gone');
  } else if (isCalled && !isPing && (await recordFailure(collections, endpoint, now))) onDisabled(endpoint, 'failing');
  endpointCache.invalidate();
}

function record(
  { writer, now }: AttemptOptions,
  delivery: WebhookDeliveryRecord,
  { attemptedAt, durationMs, answer: { status, response } }: AttemptResult,
  changes: Partial<WebhookDeliveryRecord>,
  error: string | null = null,
): Promise<void> {
  const stored: WebhookAttempt = { attemptedAt, durationMs, status, error, response };
  return writer.change(delivery, {
    $set: { ...changes, attemptCount: delivery.attemptCount + 1, lease: null, updatedAt: now() },
    $push: { attempts: { $each: [stored], $slice: -STORED_ATTEMPTS } },
  });
}

/**
 * Ends a delivery whose body exceeds a limit or is gone: another attempt would find the same, and the receiver, which was
 * not called, is not failing.
 */
async function refuse(options: AttemptOptions, delivery: WebhookDeliveryRecord, refusal: string): Promise<void> {
  const answer: Answer = { status: null, error: refusal, retryAfter: null, response: null };
  const result: AttemptResult = { attemptedAt: options.now(), durationMs: 0, answer };
  await record(options, delivery, result, { state: 'failed' }, refusal);
}

async function drop({ writer, now }: AttemptOptions, delivery: WebhookDeliveryRecord): Promise<void> {
  await writer.change(delivery, { $set: { state: 'dropped', lease: null, updatedAt: now() } });
}

/** Releases the delivery to other processes. @param notifyDue announces it; null when enabling the endpoint will */
async function release(
  { writer, now }: AttemptOptions,
  delivery: WebhookDeliveryRecord,
  notifyDue: (() => Promise<void>) | null,
): Promise<void> {
  const dueAt = now();
  await writer.change(delivery, { $set: { dueAt, lease: null, updatedAt: dueAt } });
  await notifyDue?.();
}
