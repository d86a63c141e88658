import type { Services } from '../context.ts';
import { unavailability } from '../database-errors.ts';
import type { RenderBody } from './attempt.ts';
import { createBodyStore } from './body-store.ts';
import { createDispatcher } from './dispatcher.ts';
import { observeAttempts } from './observe-attempts.ts';
import { retentionMsOf } from './queue.ts';
import { createSender } from './send.ts';
import { createWorker } from './worker.ts';

/** The operator's log. It names endpoints by id, never by URL, and contains no secret or token. */
export interface WebhookLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Only for tests: the polling interval and the lengths of leases. */
export interface WebhookTimes {
  leaseMs?: number;
  pollMs?: number;
  dispatcherLeaseMs?: number;
}

export interface WebhooksOptions {
  services: Services;
  renderBody: RenderBody;
  log: WebhookLog;
  times?: WebhookTimes | undefined;
}

export interface Webhooks {
  /**
   * Ends the delivery within `withinMs` milliseconds, also while receivers and the database do not answer. Events and
   * results that are not stored by then are dispatched and attempted again after the next start.
   */
  close(withinMs: number): Promise<void>;
}

/** Turns events into deliveries and sends them. Any number of processes may do so concurrently. */
export function startWebhooks({ services, renderBody, log, times = {} }: WebhooksOptions): Webhooks {
  const { config, store, now, instanceId, resolveHost } = services;
  const { collections } = store;
  const sender = createSender({ allowPrivate: config.WEBHOOK_ALLOW_PRIVATE, resolve: resolveHost });
  const onError = (err: unknown) => {
    const found = unavailability(err);
    if (found) store.availability.reportFailure(found);
    else log.error({ err }, 'webhook delivery failed unexpectedly and is retried');
  };
  const bodyStore = createBodyStore(store, now);
  const worker = createWorker({
    collections,
    bodyStore,
    renderBody,
    send: observeAttempts(sender.send),
    now,
    random: Math.random,
    leaseMs: times.leaseMs,
    pollMs: times.pollMs,
    onDisabled: ({ networkId, endpointId }, reason) =>
      log.warn({ networkId, endpointId, reason }, 'a webhook endpoint was disabled automatically'),
    onFailed: ({ networkId, endpointId, eventId, event, attemptCount }, { error, isGivenUp }) =>
      log.warn(
        { networkId, endpointId, eventId, event, attempt: attemptCount + 1, error },
        isGivenUp ? 'a webhook was given up' : 'a webhook endpoint began to fail; its deliveries are retried',
      ),
    onRenderError: (err) => log.error({ err }, 'the body of a webhook could not be rendered'),
    onError,
  });
  const dispatcher = createDispatcher({
    collections,
    bodyStore,
    events: services.events,
    holder: instanceId,
    now,
    retentionMs: retentionMsOf(config),
    leaseMs: times.dispatcherLeaseMs,
    renderBody,
    reserve: worker.reserve,
    onQueued: worker.wake,
    onError,
  });
  return {
    async close(withinMs) {
      await dispatcher.close(withinMs / 2);
      await worker.close({ withinMs: withinMs / 2 });
      sender.close();
    },
  };
}
