import { isSparedOfBlocked } from '../access/block.ts';
import type { Services, Viewer } from '../context.ts';
import { unavailability } from '../database-errors.ts';
import type { OperationError } from '../errors.ts';
import type { LiveEvent } from '../events/log.ts';
import type { Loaders } from '../store/loaders.ts';
import { createEventContext } from './event-context.ts';
import type { Edition, Told } from './lane.ts';
import type { LiveSession } from './live-sessions.ts';
import type { Membership, Memberships } from './memberships.ts';
import type { Listener, Program } from './program.ts';
import type { Reading } from './reading.ts';
import type { Scene } from './scene.ts';
import { isTooLarge, UntoldEvent } from './untold-event.ts';

/** One who listens to a program, and how far they have been told. */
export interface Member extends Told {
  session: Listener['session'];
  /** No more is told. */
  onLost(reason: OperationError): void;
}

/** A member as they stood when the event was looked at: what they gain or lose meanwhile is not for others to share. */
interface Reader extends Pick<LiveSession, 'viewer' | 'rights'> {
  member: Member;
}

export interface EditionsOptions {
  services: Services;
  memberships: Memberships;
  /** Told of what could not be written; those who were to read it are told so. */
  onFault(error: unknown, live: LiveEvent): void;
  /** Editions of one event that are made at once. */
  atOnce: number;
}

/** Whom an event is for. */
export interface Audience {
  members: readonly Member[];
  reading: Reading;
}

/** Makes what an event looks like to each who may see it. @throws {UnavailableError} while the database is away */
export type PrepareEditions = (program: Program, live: LiveEvent, audience: Audience) => Promise<Edition<Member>[]>;

/**
 * Whoever listens to the same with the same rights is served by one execution and one text. What comes out differently
 * by who asks is found out while it is made: the context of a shared execution notes when it is asked whose it is.
 * What fails for some is told to all others.
 */
export function createEditions({ services, memberships, onFault, atOnce }: EditionsOptions): PrepareEditions {
  return async (program, live, { members, reading }) => {
    const listening = members.filter(({ isOpen, last }) => isOpen && last < live.cursor);
    await settled(listening);
    const readers = listening.filter(({ isOpen, session }) => isOpen && !session.isOver).map(toReader);
    if (readers.length === 0) return [];
    try {
      return await editionsFor(program, live, { readers, reading });
    } catch (error) {
      if (unavailability(error)) reading.forget();
      // Nobody knows who may see it: that something is missing is told to all.
      return [untold(live, readers, error)];
    }
  };

  async function editionsFor(
    program: Program,
    live: LiveEvent,
    { readers, reading }: { readers: readonly Reader[]; reading: Reading },
  ): Promise<Edition<Member>[]> {
    const scene = await reading.scene();
    if (!scene) return [];
    const editions: Edition<Member>[] = [];
    const seeing = await thoseWhoSee(scene, readers, live, {
      load: reading.load,
      onFault: (reader, error) => void editions.push(untold(live, [reader], error)),
    });
    for (const sharers of byRights(seeing)) editions.push(...(await write(program, live, { scene, reading, sharers })));
    return editions;
  }

  /** In place of what they would have read. @throws {unknown} the error, when it passes by itself */
  function untold(live: LiveEvent, readers: readonly Reader[], error: unknown): Edition<Member> {
    if (unavailability(error)) throw error;
    if (!isTooLarge(error)) onFault(error, live);
    return { text: new UntoldEvent(live.cursor, error), readers: readers.map(({ member }) => member) };
  }

  /** Once for all when nothing in it depends on who asks, else once for each. */
  async function write(
    program: Program,
    live: LiveEvent,
    { scene, reading, sharers }: { scene: Scene; reading: Reading; sharers: readonly Reader[] },
  ): Promise<Edition<Member>[]> {
    const editionFor = async (readers: readonly Reader[]) => {
      const { context, isPersonal } = createEventContext(services, readers[0]!.viewer, reading.load);
      const textFor = async () => program.write({ live, payload: await scene.payload(context) }, context);
      const text = await textFor().catch((error: unknown) => untold(live, readers, error).text);
      return { edition: { text, readers: readers.map(({ member }) => member) }, isPersonal: isPersonal() };
    };
    const shared = await editionFor(sharers);
    if (!shared.isPersonal || sharers.length === 1) return [shared.edition];
    const [first, ...others] = sharers;
    const editions = [{ text: shared.edition.text, readers: [first!.member] }];
    for (let from = 0; from < others.length; from += atOnce) {
      const some = others.slice(from, from + atOnce);
      for (const { edition } of await Promise.all(some.map((one) => editionFor([one])))) editions.push(edition);
    }
    return editions;
  }

  async function thoseWhoSee(
    scene: Scene,
    readers: readonly Reader[],
    { event }: LiveEvent,
    { load, onFault }: { load: Loaders; onFault(reader: Reader, error: unknown): void },
  ): Promise<Reader[]> {
    const ids = new Set(readers.map(({ viewer }) => viewer.userId));
    const known = scene.place ? await memberships.of(event.networkId, scene.place, ids) : NOBODY;
    const seeing: Reader[] = [];
    const asked: Array<Promise<unknown>> = [];
    for (const reader of readers) {
      const { viewer } = reader;
      const membership = known.get(viewer.userId) ?? null;
      const sees = scene.sees(viewer, membership);
      if (sees === false) continue;
      if (sees === true && !viewer.hasBlocks) seeing.push(reader);
      else
        asked.push(
          (async () => {
            if ((await sees) && !(await isSpared(scene, viewer, { membership, load }))) seeing.push(reader);
          })().catch((error: unknown) => onFault(reader, error)),
        );
    }
    await Promise.all(asked);
    return seeing;
  }
}

const NOBODY: ReadonlyMap<string, Membership | null> = new Map();

async function settled(members: readonly Member[]): Promise<void> {
  for (const { session } of members) while (session.settling) await session.settling;
}

async function isSpared(
  { author, moderates }: Scene,
  viewer: Viewer,
  { membership, load }: { membership: Membership | null; load: Loaders },
): Promise<boolean> {
  if (author === null || !isSparedOfBlocked(viewer, moderates?.(viewer, membership) ?? false)) return false;
  return (await load.userBlocks.load([viewer.userId, author])) !== null;
}

const toReader = (member: Member): Reader => ({
  member,
  viewer: member.session.viewer,
  rights: member.session.rights,
});

function byRights(readers: readonly Reader[]): Iterable<Reader[]> {
  const found = new Map<string, Reader[]>();
  for (const reader of readers) {
    const sharers = found.get(reader.rights);
    if (sharers) sharers.push(reader);
    else found.set(reader.rights, [reader]);
  }
  return found.values();
}
