import { isSparedOfBlocked } from '../../access/block.ts';
import type { Services, Viewer } from '../../context.ts';
import { unavailability } from '../../database-errors.ts';
import type { OperationError } from '../../errors.ts';
import type { LiveEvent } from '../../events/log.ts';
import type { Loaders } from '../../store/loaders.ts';
import type { LiveSession } from '../subscribers/live-sessions.ts';
import type { DeliveryState, Rendering } from '../subscribers/ordered-queue.ts';
import type { Listener, SubscriptionSpec } from '../subscription-spec.ts';
import type { EventView } from '../visibility/event-view.ts';
import type { LazyEventView } from '../visibility/lazy-event-view.ts';
import type { Membership, Memberships } from '../visibility/memberships.ts';
import { createRenderingContext } from './rendering-context.ts';
import { isTooLarge, UndeliverableEvent } from './undeliverable-event.ts';

/** One who listens to a program, and how far they have been told. */
export interface Subscriber extends DeliveryState {
  session: Listener['session'];
  /** No more is told. */
  onLost(reason: OperationError): void;
}

/** A member as they stood when the event was looked at: what they gain or lose meanwhile is not for others to share. */
interface Reader extends Pick<LiveSession, 'viewer' | 'rights'> {
  member: Subscriber;
}

export interface RendererOptions {
  services: Services;
  memberships: Memberships;
  /** Told of what could not be written; those who were to read it are told so. */
  onError(error: unknown, live: LiveEvent): void;
  /** Editions of one event that are made at once. */
  atOnce: number;
}

/** Whom an event is for. */
export interface Audience {
  members: readonly Subscriber[];
  reading: LazyEventView;
}

/** Makes what an event looks like to each who may see it. @throws {UnavailableError} while the database is away */
export type RenderEvent = (
  program: SubscriptionSpec,
  live: LiveEvent,
  audience: Audience,
) => Promise<Rendering<Subscriber>[]>;

/**
 * Whoever listens to the same with the same rights is served by one execution and one text. What comes out differently
 * by who asks is found out while it is made: the context of a shared execution notes when it is asked whose it is.
 * What fails for some is told to all others.
 */
export function createRenderer({ services, memberships, onError, atOnce }: RendererOptions): RenderEvent {
  return async (program, live, { members, reading }) => {
    const listening = members.filter(({ isOpen, lastCursor }) => isOpen && lastCursor < live.cursor);
    await waitForRefreshes(listening);
    const readers = listening.filter(({ isOpen, session }) => isOpen && !session.hasEnded).map(toReader);
    if (readers.length === 0) return [];
    try {
      return await renderVisible(program, live, { readers, reading });
    } catch (error) {
      if (unavailability(error)) reading.reset();
      // Nobody knows who may see it: that something is missing is told to all.
      return [undeliverable(live, readers, error)];
    }
  };

  async function renderVisible(
    program: SubscriptionSpec,
    live: LiveEvent,
    { readers, reading }: { readers: readonly Reader[]; reading: LazyEventView },
  ): Promise<Rendering<Subscriber>[]> {
    const scene = await reading.view();
    if (!scene) return [];
    const editions: Rendering<Subscriber>[] = [];
    const seeing = await findViewers(scene, readers, live, {
      load: reading.load,
      onError: (reader, error) => void editions.push(undeliverable(live, [reader], error)),
    });
    for (const sharers of groupByRights(seeing))
      editions.push(...(await write(program, live, { scene, reading, sharers })));
    return editions;
  }

  /** In place of what they would have read. @throws {unknown} the error, when it passes by itself */
  function undeliverable(live: LiveEvent, readers: readonly Reader[], error: unknown): Rendering<Subscriber> {
    if (unavailability(error)) throw error;
    if (!isTooLarge(error)) onError(error, live);
    return { text: new UndeliverableEvent(live.cursor, error), recipients: readers.map(({ member }) => member) };
  }

  /** Once for all when nothing in it depends on who asks, else once for each. */
  async function write(
    program: SubscriptionSpec,
    live: LiveEvent,
    { scene, reading, sharers }: { scene: EventView; reading: LazyEventView; sharers: readonly Reader[] },
  ): Promise<Rendering<Subscriber>[]> {
    const editionFor = async (readers: readonly Reader[]) => {
      const { context, isPersonal } = createRenderingContext(services, readers[0]!.viewer, reading.load);
      const textFor = async () => program.render({ live, payload: await scene.payload(context) }, context);
      const text = await textFor().catch((error: unknown) => undeliverable(live, readers, error).text);
      return { edition: { text, recipients: readers.map(({ member }) => member) }, isPersonal: isPersonal() };
    };
    const shared = await editionFor(sharers);
    if (!shared.isPersonal || sharers.length === 1) return [shared.edition];
    const [first, ...others] = sharers;
    const editions = [{ text: shared.edition.text, recipients: [first!.member] }];
    for (let from = 0; from < others.length; from += atOnce) {
      const some = others.slice(from, from + atOnce);
      for (const { edition } of await Promise.all(some.map((one) => editionFor([one])))) editions.push(edition);
    }
    return editions;
  }

  async function findViewers(
    scene: EventView,
    readers: readonly Reader[],
    { event }: LiveEvent,
    { load, onError }: { load: Loaders; onError(reader: Reader, error: unknown): void },
  ): Promise<Reader[]> {
    const ids = new Set(readers.map(({ viewer }) => viewer.userId));
    const known = scene.scope ? await memberships.load(event.networkId, scene.scope, ids) : NOBODY;
    const seeing: Reader[] = [];
    const asked: Array<Promise<unknown>> = [];
    for (const reader of readers) {
      const { viewer } = reader;
      const membership = known.get(viewer.userId) ?? null;
      const sees = scene.isVisible(viewer, membership);
      if (sees === false) continue;
      if (sees === true && !viewer.hasBlocks) seeing.push(reader);
      else
        asked.push(
          (async () => {
            if ((await sees) && !(await isSpared(scene, viewer, { membership, load }))) seeing.push(reader);
          })().catch((error: unknown) => onError(reader, error)),
        );
    }
    await Promise.all(asked);
    return seeing;
  }
}

const NOBODY: ReadonlyMap<string, Membership | null> = new Map();

async function waitForRefreshes(members: readonly Subscriber[]): Promise<void> {
  for (const { session } of members) while (session.refreshing) await session.refreshing;
}

async function isSpared(
  { authorId, canModerate }: EventView,
  viewer: Viewer,
  { membership, load }: { membership: Membership | null; load: Loaders },
): Promise<boolean> {
  if (authorId === null || !isSparedOfBlocked(viewer, canModerate?.(viewer, membership) ?? false)) return false;
  return (await load.userBlocks.load([viewer.userId, authorId])) !== null;
}

const toReader = (member: Subscriber): Reader => ({
  member,
  viewer: member.session.viewer,
  rights: member.session.rights,
});

function groupByRights(readers: readonly Reader[]): Iterable<Reader[]> {
  const found = new Map<string, Reader[]>();
  for (const reader of readers) {
    const sharers = found.get(reader.rights);
    if (sharers) sharers.push(reader);
    else found.set(reader.rights, [reader]);
  }
  return found.values();
}
