import { isSparedOfBlocked } from '../access/block.ts';
import type { Context, Services, Viewer } from '../context.ts';
import { OperationError } from '../errors.ts';
import type { Cursor } from '../events/cursor.ts';
import type { Hub } from '../events/hub.ts';
import type { LiveEvent } from '../events/log.ts';
import { createTurnstile } from '../events/turnstile.ts';
import { createLoaders, type Loaders } from '../store/loaders.ts';
import { textKey } from '../text-key.ts';
import { createEventContext } from './event-context.ts';
import { createLane, type Edition, type Lane } from './lane.ts';
import type { LiveSession } from './live-sessions.ts';
import type { Membership, Memberships } from './memberships.ts';
import type { Payload, Scene } from './scene.ts';
import { sceneOf } from './scenes.ts';
import type { TopicFilter } from './topic.ts';

/** What is told of events: which ones, and how they look. */
export interface Program {
  /** Programs of one key make the same text for those who have the same rights. */
  key: string;
  types: ReadonlySet<string>;
  topic: TopicFilter | null;
  /** The event's text for whoever the context is of. @throws {UnavailableError} while the database is away */
  write(root: EventRoot, context: Context): Promise<string>;
}

/** What a program makes its text from. */
export interface EventRoot {
  live: LiveEvent;
  payload: Payload;
}

export interface Listener {
  session: Pick<LiveSession, 'viewer' | 'rights' | 'settling' | 'isOver'>;
  /** Hands the text on; must not wait. */
  tell(text: string, live: LiveEvent): void;
  /** How many of the replayed events are prepared at once: who takes one and leaves needs no others. */
  ahead?: number;
  /** While it is slow, what is replayed waits. */
  isSlow?(): boolean;
  /** What was missed has been told, and everything that has been read of the log. */
  onUpToDate?(): void;
  /** No more is told. */
  onLost(reason: OperationError): void;
}

export interface Listening {
  /** Whether everything that the log has been read of has been told. */
  readonly isUpToDate: boolean;
  close(): void;
}

/** Tells events to everybody who listens and may see them. */
export interface FanOut {
  /** @param after only what came after this place; null: from now on */
  listen(program: Program, listener: Listener, after?: Cursor | null): Listening;
  /** How one event looks to somebody; null when they do not see it, or there is nothing left of it. */
  look(program: Program, session: Listener['session'], live: LiveEvent): Promise<string | null>;
}

export interface FanOutOptions {
  services: Services;
  hub: Hub;
  memberships: Memberships;
  onFault(error: unknown, live: LiveEvent): void;
}

/** What is known of an event; the scene is read when first asked for. */
interface Reading {
  readonly load: Loaders;
  scene(): Promise<Scene | null>;
  /** Reads anew from now on: what failed would be remembered as having failed. */
  forget(): void;
}

interface Member extends Listener {
  last: Cursor;
  isOpen: boolean;
}

/** A member as they stood when the event was looked at: what they gain or lose meanwhile is not for others to share. */
interface Reader extends Pick<LiveSession, 'viewer' | 'rights'> {
  member: Member;
}

/** Those who listen to one program in one network. */
interface Group {
  program: Program;
  networkId: string;
  members: Set<Member>;
  lane: Lane<Reading>;
}

/** Events that may wait for one group before its readers are sent away to come back with their cursors. */
const MAX_WAITING = 2_000;
/** Replayed events that may wait for one reader; the log is not read on meanwhile. */
const MAX_REPLAYED = 100;
/** How long replaying waits for a reader who takes nothing. */
const MAX_SLOW_MS = 30_000;
/** Events that are prepared at once in the process. */
const MAX_PREPARED = 32;

/**
 * Whoever listens to the same with the same rights is served by one execution and one text. What comes out differently
 * by who asks is found out while it is made: the context of a shared execution notes when it is asked whose it is.
 */
export function createFanOut({ services, hub, memberships, onFault }: FanOutOptions): FanOut {
  const groups = new Map<string, Group>();
  const byNetwork = new Map<string, Set<Group>>();
  const admit = createTurnstile(MAX_PREPARED);

  function follow(): void {
    hub.subscribe({
      onEvent(live) {
        // One scene serves all groups.
        const reading = createReading(live);
        for (const group of byNetwork.get(live.event.networkId) ?? []) {
          if (!concerns(group.program, live)) continue;
          if (group.lane.waiting < MAX_WAITING) group.lane.accept(live, reading);
          else lose(group, tooSlow());
        }
      },
      onLost(reason) {
        for (const group of [...groups.values()]) lose(group, reason);
        follow();
      },
    });
  }
  follow();

  function createReading({ event }: LiveEvent): Reading {
    const newLoad = () => createLoaders(services.store.batchers, event.networkId);
    let load = newLoad();
    let scene: Promise<Scene | null> | undefined;
    return {
      get load() {
        return load;
      },
      scene() {
        scene ??= sceneOf({ services, load, event });
        return scene;
      },
      forget() {
        load = newLoad();
        scene = undefined;
      },
    };
  }

  async function prepare(
    program: Program,
    live: LiveEvent,
    { members, reading }: { members: readonly Member[]; reading: Reading },
  ): Promise<Edition<Member>[]> {
    const listening = members.filter(({ isOpen, last }) => isOpen && last < live.cursor);
    await settled(listening);
    const readers = listening.filter(({ isOpen, session }) => isOpen && !session.isOver).map(toReader);
    if (readers.length === 0) return [];
    try {
      const scene = await reading.scene();
      if (!scene) return [];
      const editions: Edition<Member>[] = [];
      for (const sharers of byRights(await thoseWhoSee(scene, readers, live, reading)))
        editions.push(...(await write(program, live, { scene, reading, sharers })));
      return editions;
    } catch (error) {
      reading.forget();
      throw error;
    }
  }

  /** Once for all when nothing in it depends on who asks, else once for each. */
  async function write(
    program: Program,
    live: LiveEvent,
    { scene, reading, sharers }: { scene: Scene; reading: Reading; sharers: readonly Reader[] },
  ): Promise<Edition<Member>[]> {
    const editionFor = async (readers: readonly Reader[]) => {
      const { context, isPersonal } = createEventContext(services, readers[0]!.viewer, reading.load);
      const text = await program.write({ live, payload: await scene.payload(context) }, context);
      return { edition: { text, readers: readers.map(({ member }) => member) }, isPersonal: isPersonal() };
    };
    const shared = await editionFor(sharers);
    if (!shared.isPersonal || sharers.length === 1) return [shared.edition];
    const [first, ...others] = sharers;
    const editions = [{ text: shared.edition.text, readers: [first!.member] }];
    for (let from = 0; from < others.length; from += MAX_PREPARED) {
      const some = others.slice(from, from + MAX_PREPARED);
      for (const { edition } of await Promise.all(some.map((one) => editionFor([one])))) editions.push(edition);
    }
    return editions;
  }

  async function thoseWhoSee(
    scene: Scene,
    readers: readonly Reader[],
    { event }: LiveEvent,
    { load }: Reading,
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
          })(),
        );
    }
    await Promise.all(asked);
    return seeing;
  }

  function lose(group: Group, reason: OperationError): void {
    for (const member of [...group.members]) {
      drop(group, member);
      member.onLost(reason);
    }
  }

  function enter(program: Program, member: Member): Group {
    const { networkId } = member.session.viewer;
    const key = textKey(networkId, program.key);
    let group = groups.get(key);
    if (!group) {
      group = openGroup(program, networkId);
      groups.set(key, group);
    }
    group.members.add(member);
    return group;
  }

  function openGroup(program: Program, networkId: string): Group {
    const members = new Set<Member>();
    const lane = createLane<Member, Reading>({
      admit,
      onFault,
      prepare: (live, reading) => prepare(program, live, { members: [...members], reading }),
    });
    const group = { program, networkId, members, lane };
    const others = byNetwork.get(networkId) ?? new Set();
    byNetwork.set(networkId, others.add(group));
    return group;
  }

  function drop(group: Group, member: Member): void {
    member.isOpen = false;
    if (!group.members.delete(member) || group.members.size > 0) return;
    group.lane.close();
    const others = byNetwork.get(group.networkId);
    others?.delete(group);
    if (others?.size === 0) byNetwork.delete(group.networkId);
    groups.delete(textKey(group.networkId, group.program.key));
  }

  /** A lane of their own until they have caught up, then the group's. */
  function catchUp(program: Program, member: Member, after: Cursor): Listening {
    let group: Group | null = null;
    const lane = createLane<Member, Reading>({
      admit,
      ahead: member.ahead,
      onFault,
      prepare: (live, reading) => prepare(program, live, { members: [member], reading }),
    });
    let seen = after;
    const subscription = hub.subscribe({
      after,
      async onEvent(live) {
        seen = live.cursor;
        if (!member.isOpen || live.event.networkId !== member.session.viewer.networkId) return;
        if (!concerns(program, live)) return;
        lane.accept(live, createReading(live));
        const patience = performance.now() + MAX_SLOW_MS;
        while (member.isOpen && (lane.waiting > MAX_REPLAYED || member.isSlow?.())) {
          if (member.isSlow?.() && performance.now() > patience) return lost(tooSlow());
          await shortly();
        }
      },
      onFollowing: () => void join(),
      onLost: lost,
    });

    function lost(reason: OperationError): void {
      close();
      member.onLost(reason);
    }

    async function join(): Promise<void> {
      while (lane.waiting > 0) await lane.idle();
      if (!member.isOpen) return;
      // In one turn: what comes next is the group's to tell, what came before has been told.
      subscription.close();
      member.last = seen;
      group = enter(program, member);
      member.onUpToDate?.();
    }

    function close(): void {
      member.isOpen = false;
      subscription.close();
      lane.close();
      if (group) drop(group, member);
    }
    return {
      get isUpToDate() {
        return group !== null && group.lane.waiting === 0;
      },
      close,
    };
  }

  return {
    async look(program, session, live) {
      const member: Member = { session, last: '', isOpen: true, tell: () => undefined, onLost: () => undefined };
      const [edition] = await prepare(program, live, { members: [member], reading: createReading(live) });
      return edition?.text ?? null;
    },
    listen(program, listener, after = null) {
      const member: Member = Object.assign(Object.create(listener) as Listener, { last: after ?? '', isOpen: true });
      if (after !== null) return catchUp(program, member, after);
      member.last = hub.position ?? '';
      const group = enter(program, member);
      return {
        get isUpToDate() {
          return group.lane.waiting === 0;
        },
        close: () => drop(group, member),
      };
    },
  };
}

const NOBODY: ReadonlyMap<string, Membership | null> = new Map();

function concerns({ types, topic }: Program, { event }: LiveEvent): boolean {
  return types.has(event.type) && (!topic || topic(event.path));
}

async function settled(readers: readonly Member[]): Promise<void> {
  for (const { session } of readers) while (session.settling) await session.settling;
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

function tooSlow(): OperationError {
  return new OperationError('UNAVAILABLE', {
    message: 'Events come faster than they are told: come back with your cursor.',
  });
}

function shortly(): Promise<void> {
  return new Promise((later) => setTimeout(later, 20));
}
