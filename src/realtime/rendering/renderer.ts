import { omitsBlockedAuthors } from '../../access/block.ts';
import type { Services, Viewer } from '../../context.ts';
import { unavailability } from '../../database-errors.ts';
import type { OperationError } from '../../errors.ts';
import type { LiveEvent } from '../../events/log.ts';
import type { Loaders } from '../../store/loaders.ts';
import type { LiveSession } from '../subscribers/live-sessions.ts';
import type { DeliveryState, Rendering } from '../subscribers/ordered-queue.ts';
import type { Listener, SubscriptionSpec, TextByMembership } from '../subscription-spec.ts';
import type { EventView } from '../visibility/event-view.ts';
import type { LazyEventView } from '../visibility/lazy-event-view.ts';
import type { Membership, Memberships } from '../visibility/memberships.ts';
import { createRenderingContext } from './rendering-context.ts';
import { isTooLarge, UndeliverableEvent } from './undeliverable-event.ts';

/** One subscriber of a subscription spec. */
export interface Subscriber extends DeliveryState {
  session: Listener['session'];
  /** Called when the subscription ends. */
  onLost(reason: OperationError): void;
}

/** A snapshot of a subscriber's rights: rights that change during rendering must not affect a shared result. */
interface Recipient extends Pick<LiveSession, 'viewer' | 'rightsKey'> {
  subscriber: Subscriber;
  /** In the scope of the event's view; null before it was loaded. */
  membership: Membership | null;
}

export interface RendererOptions {
  services: Services;
  memberships: Memberships;
  /** Called for an event that cannot be rendered; its recipients get an {@link UndeliverableEvent} instead. */
  onError(error: unknown, live: LiveEvent): void;
  /** Personal renderings of one event that are created concurrently. */
  concurrency: number;
}

/** The subscribers that may be authorized to see an event, and the event's view. */
export interface Audience {
  subscribers: readonly Subscriber[];
  lazyView: LazyEventView;
}

/**
 * Renders an event for the subscribers that are authorized to see it.
 * @throws {UnavailableError} while the database is unavailable
 */
export type RenderEvent = (
  spec: SubscriptionSpec,
  live: LiveEvent,
  audience: Audience,
) => Promise<Rendering<Subscriber>[]>;

/**
 * Subscribers with the same spec and the same rights share one execution and one text. If that execution reads who the
 * viewer is, which its context records, the event is rendered again for each other subscriber. A text that differs only
 * by the recipient's membership is completed for each of them. An error that affects some subscribers does not affect
 * the others. See docs/decisions/0015-shared-rendering.md.
 */
export function createRenderer({ services, memberships, onError, concurrency }: RendererOptions): RenderEvent {
  return async (spec, live, { subscribers, lazyView }) => {
    const waiting = refreshingOf(subscribers, live);
    // Changes of rights that are reported meanwhile were committed after the event.
    for (const { session } of waiting) while (session.refreshing) await session.refreshing;
    const recipients = recipientsOf(subscribers, live);
    if (recipients.length === 0) return [];
    try {
      return await renderVisible(spec, live, { recipients, lazyView });
    } catch (error) {
      if (unavailability(error)) lazyView.reset();
      // Visibility is unknown, so all subscribers are notified that an event is missing.
      return [undeliverable(live, recipients, error)];
    }
  };

  async function renderVisible(
    spec: SubscriptionSpec,
    live: LiveEvent,
    { recipients, lazyView }: { recipients: readonly Recipient[]; lazyView: LazyEventView },
  ): Promise<Rendering<Subscriber>[]> {
    const view = await lazyView.get();
    if (!view) return [];
    const renderings: Rendering<Subscriber>[] = [];
    const authorized = await findAuthorized(view, recipients, live, {
      load: lazyView.load,
      onError: (recipient, error) => void renderings.push(undeliverable(live, [recipient], error)),
    });
    for (const group of groupByRights(authorized))
      renderings.push(...(await renderGroup(spec, live, { view, load: lazyView.load, group })));
    return renderings;
  }

  /** @throws {unknown} the error, when it is transient */
  function undeliverable(live: LiveEvent, recipients: readonly Recipient[], error: unknown): Rendering<Subscriber> {
    if (unavailability(error)) throw error;
    if (!isTooLarge(error)) onError(error, live);
    return { text: new UndeliverableEvent(live.cursor, error), recipients: subscribersOf(recipients) };
  }

  /** Renders once for the whole group, unless the result depends on the viewer. */
  async function renderGroup(
    spec: SubscriptionSpec,
    live: LiveEvent,
    { view, load, group }: { view: EventView; load: Loaders; group: readonly Recipient[] },
  ): Promise<Rendering<Subscriber>[]> {
    const renderFor = async (recipients: readonly Recipient[]) => {
      const { context, isPersonal } = createRenderingContext(services, recipients[0]!.viewer, load);
      const render = async () => {
        const rendered = await spec.render({ live, payload: await view.payload(context) }, context);
        if (typeof rendered === 'string') return rendered;
        // A personal rendering is used for the first recipient only.
        return textsOf(rendered, isPersonal() ? recipients.slice(0, 1) : recipients);
      };
      const text = await render().catch((error: unknown) => undeliverable(live, recipients, error).text);
      return { rendering: { text, recipients: subscribersOf(recipients) }, isPersonal: isPersonal() };
    };
    const shared = await renderFor(group);
    if (!shared.isPersonal || group.length === 1) return [shared.rendering];
    const [first, ...others] = group;
    const renderings = [{ text: shared.rendering.text, recipients: [first!.subscriber] }];
    for (let from = 0; from < others.length; from += concurrency) {
      const batch = others.slice(from, from + concurrency);
      const results = await Promise.all(batch.map((recipient) => renderFor([recipient])));
      renderings.push(...results.map(({ rendering }) => rendering));
    }
    return renderings;
  }

  async function findAuthorized(
    view: EventView,
    recipients: readonly Recipient[],
    { event }: LiveEvent,
    { load, onError }: { load: Loaders; onError(recipient: Recipient, error: unknown): void },
  ): Promise<Recipient[]> {
    const known = view.scope
      ? await memberships.load(event.networkId, view.scope, new Set(recipients.map(({ viewer }) => viewer.userId)))
      : null;
    const authorized: Recipient[] = [];
    const pending: Array<Promise<unknown>> = [];
    for (const recipient of recipients) {
      const { viewer } = recipient;
      const membership = known?.get(viewer.userId) ?? null;
      recipient.membership = membership;
      const isVisible = view.isVisible(viewer, membership);
      if (isVisible === false) continue;
      // The common case stays synchronous: it runs once for each subscriber and event.
      if (isVisible === true && !viewer.hasBlocks) authorized.push(recipient);
      else
        pending.push(
          (async () => {
            if ((await isVisible) && !(await isBlockedAuthor(view, viewer, { membership, load })))
              authorized.push(recipient);
          })().catch((error: unknown) => onError(recipient, error)),
        );
    }
    await Promise.all(pending);
    return authorized;
  }
}

/** The recipients whose rights are being reloaded. */
function refreshingOf(subscribers: readonly Subscriber[], { cursor }: LiveEvent): Subscriber[] {
  const refreshing: Subscriber[] = [];
  for (const subscriber of subscribers)
    if (subscriber.isOpen && subscriber.lastCursor < cursor && subscriber.session.refreshing)
      refreshing.push(subscriber);
  return refreshing;
}

/** Whether the viewer blocked the author and does not moderate the content. */
async function isBlockedAuthor(
  { authorId, canModerate }: EventView,
  viewer: Viewer,
  { membership, load }: { membership: Membership | null; load: Loaders },
): Promise<boolean> {
  if (authorId === null || !omitsBlockedAuthors(viewer, canModerate?.(viewer, membership) ?? false)) return false;
  return (await load.userBlocks.load([viewer.userId, authorId])) !== null;
}

/** One loop without intermediate arrays, since it runs for each subscriber and event. */
function recipientsOf(subscribers: readonly Subscriber[], { cursor }: LiveEvent): Recipient[] {
  const recipients: Recipient[] = [];
  for (const subscriber of subscribers) {
    if (!subscriber.isOpen || subscriber.lastCursor >= cursor) continue;
    const { session } = subscriber;
    if (session.hasEnded) continue;
    recipients.push({ subscriber, viewer: session.viewer, rightsKey: session.rightsKey, membership: null });
  }
  return recipients;
}

async function textsOf(rendered: TextByMembership, recipients: readonly Recipient[]) {
  const textOf = await rendered.prepare(recipients);
  const bySubscriber = new Map(recipients.map((recipient) => [recipient.subscriber, recipient]));
  return (subscriber: Subscriber) => textOf(bySubscriber.get(subscriber)!);
}

function subscribersOf(recipients: readonly Recipient[]): Subscriber[] {
  return recipients.map(({ subscriber }) => subscriber);
}

function groupByRights(recipients: readonly Recipient[]): Iterable<Recipient[]> {
  const groups = new Map<string, Recipient[]>();
  let group: Recipient[] | undefined;
  let groupKey: string | null = null;
  for (const recipient of recipients) {
    // Most subscribers have the rights of the one before.
    if (recipient.rightsKey !== groupKey) {
      groupKey = recipient.rightsKey;
      group = groups.get(groupKey);
    }
    if (group) group.push(recipient);
    else {
      group = [recipient];
      groups.set(recipient.rightsKey, group);
    }
  }
  return groups.values();
}
