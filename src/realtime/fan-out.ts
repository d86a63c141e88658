import type { Services } from '../context.ts';
import type { OperationError } from '../errors.ts';
import type { Cursor } from '../events/cursor.ts';
import type { Hub } from '../events/hub.ts';
import type { LiveEvent } from '../events/log.ts';
import { compositeKey } from '../lib/composite-key.ts';
import { createSemaphore } from '../lib/semaphore.ts';
import { catchUp, tooSlow } from './catch-up.ts';
import { createEditions, type Member } from './editions.ts';
import { createLane, type Lane } from './lane.ts';
import type { Memberships } from './memberships.ts';
import { concerns, type Listener, type Listening, type Program } from './program.ts';
import { createReading, type Reading } from './reading.ts';
import { createReplays } from './replays.ts';
import { UntoldEvent } from './untold-event.ts';

/** Tells events to everybody who listens and may see them. */
export interface FanOut {
  /** @param after only what came after this place; null: from now on */
  listen(program: Program, listener: Listener, after?: Cursor | null): Listening;
  /**
   * How one event looks to somebody; null when they do not see it, or there is nothing left of it.
   * @throws {UntoldEvent} when it cannot be written
   */
  look(program: Program, session: Listener['session'], live: LiveEvent): Promise<string | null>;
}

export interface FanOutOptions {
  services: Services;
  hub: Hub;
  memberships: Memberships;
  onFault(error: unknown, live: LiveEvent): void;
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
/** Events that are prepared at once in the process. */
const MAX_PREPARED = 32;

export function createFanOut({ services, hub, memberships, onFault }: FanOutOptions): FanOut {
  const groups = new Map<string, Group>();
  const byNetwork = new Map<string, Set<Group>>();
  const admit = createSemaphore(MAX_PREPARED);
  const prepare = createEditions({ services, memberships, onFault, atOnce: MAX_PREPARED });
  const replay = createReplays({ services, prepare, admit });

  function follow(): void {
    hub.subscribe({
      onEvent(live) {
        // One scene serves all groups.
        const reading = createReading(services, live);
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

  function lose(group: Group, reason: OperationError): void {
    for (const member of [...group.members]) {
      drop(group, member);
      member.onLost(reason);
    }
  }

  function enter(program: Program, member: Member): Listening {
    const { networkId } = member.session.viewer;
    const key = compositeKey(networkId, program.key);
    let group = groups.get(key);
    if (!group) {
      group = openGroup(program, networkId);
      groups.set(key, group);
    }
    group.members.add(member);
    const { lane } = group;
    const entered = group;
    return {
      get isUpToDate() {
        return lane.waiting === 0;
      },
      close: () => drop(entered, member),
    };
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
    groups.delete(compositeKey(group.networkId, group.program.key));
  }

  function openLane(program: Program, member: Member, ahead: number | undefined) {
    return createLane<Member>({
      // Replays are admitted together.
      admit: (work) => work(),
      ahead,
      onFault,
      prepare: (live) => replay(program, live, member),
    });
  }

  function follower(program: Program, listener: Listener): Listening {
    const member: Member = {
      session: listener.session,
      last: hub.position ?? '',
      isOpen: true,
      tell: (text, live) => listener.tell(text, live),
      onUntold(event) {
        if (listener.onUntold) return listener.onUntold(event);
        listening.close();
        listener.onLost(event);
      },
      onLost: (reason) => listener.onLost(reason),
    };
    const listening = enter(program, member);
    return listening;
  }

  return {
    async look(program, session, live) {
      const nobody = () => undefined;
      const member: Member = { session, last: '', isOpen: true, tell: nobody, onUntold: nobody, onLost: nobody };
      const [edition] = await prepare(program, live, { members: [member], reading: createReading(services, live) });
      const text = edition?.text ?? null;
      if (text instanceof UntoldEvent) throw text;
      return text;
    },
    listen(program, listener, after = null) {
      if (after === null) return follower(program, listener);
      return catchUp({
        hub,
        program,
        listener,
        after,
        openLane: (member) => openLane(program, member, listener.ahead),
        enter: (member) => enter(program, member),
      });
    },
  };
}
