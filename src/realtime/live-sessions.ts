import type { Services, Viewer } from '../context.ts';
import { viewerOfSession } from '../domain/session/authenticate.ts';
import { sessionEndReason } from '../domain/session/session-end-reason.ts';
import { OperationError } from '../errors.ts';
import type { Hub } from '../events/hub.ts';
import type { RightsChange } from '../events/log.ts';
import { compositeKey } from '../lib/composite-key.ts';

/** Who listens, as they stand now. */
export interface LiveSession {
  /** Replaced when their roles change. */
  readonly viewer: Viewer;
  /** Whoever has the same one has the same rights in the network, and nothing that lists leave out for them alone. */
  readonly rights: string;
  /** Not null while it is being found out how they stand: nothing is told to them meanwhile. */
  readonly settling: Promise<void> | null;
  /** Nothing more is told to it, even while its connection is still being closed. */
  readonly isOver: boolean;
  /** Called once when the session has expired or was ended, with UNAUTHORIZED, or BANNED for a user who was banned or deleted. */
  onEnd(listener: (reason: OperationError) => void): () => void;
  leave(): void;
}

/** The sessions that somebody listens with in this process; each is ended the moment it ends anywhere. */
export interface LiveSessions {
  enter(viewer: Viewer): LiveSession;
  close(): void;
}

interface Kept extends Omit<LiveSession, 'onEnd' | 'leave'> {
  viewer: Viewer;
  rights: string;
  settling: Promise<void> | null;
  isOver: boolean;
  listeners: Set<(reason: OperationError) => void>;
  entered: number;
  /** How often it was told that something changed. */
  changes: number;
  timer: NodeJS.Timeout;
}

/** What a timer can wait at most. */
const LONGEST_MS = 2 ** 31 - 1;
const RETRY_MS = 500;

export function createLiveSessions(hub: Hub, services: Services): LiveSessions {
  const kept = new Map<string, Kept>();

  function note({ collection, id }: RightsChange): void {
    if (collection === 'roles') {
      services.store.roleBook.forgetAll();
      for (const [key, session] of kept) settle(key, session);
    }
    const session = collection === 'sessions' ? kept.get(id) : undefined;
    if (session) settle(id, session);
  }

  /** Finds out how the session stands now. Of several changes at once the last one is looked at too. */
  function settle(id: string, session: Kept): void {
    session.changes += 1;
    const change = session.changes;
    session.settling = (async () => {
      while (kept.get(id) === session) {
        try {
          const { networkId, sessionId } = session.viewer;
          const viewer = await viewerOfSession(services, networkId, sessionId);
          if (session.changes !== change || session.isOver) return;
          if (!viewer) return end(id, await sessionEndReason(services, session.viewer));
          session.viewer = viewer;
          session.rights = rightsOf(viewer);
          session.settling = null;
          clearTimeout(session.timer);
          session.timer = expire(id, viewer);
          return;
        } catch {
          // The database is away: so is every event, until it is back.
          await new Promise((later) => setTimeout(later, RETRY_MS).unref());
        }
      }
    })();
  }

  function end(id: string, reason: OperationError): void {
    const session = kept.get(id);
    if (!session) return;
    forget(id, session);
    for (const listener of session.listeners) listener(reason);
  }

  function forget(id: string, session: Kept): void {
    clearTimeout(session.timer);
    kept.delete(id);
    session.isOver = true;
    // Whoever waits to hear how it stands has heard.
    session.settling = null;
  }

  function expire(id: string, { expiresAt }: Viewer): NodeJS.Timeout {
    const left = expiresAt.getTime() - services.now().getTime();
    const timer = setTimeout(
      () => {
        const session = kept.get(id);
        if (!session) return;
        if (left <= LONGEST_MS)
          return end(id, new OperationError('UNAUTHORIZED', { message: 'The token has expired.' }));
        session.timer = expire(id, session.viewer);
      },
      Math.min(Math.max(left, 0), LONGEST_MS),
    );
    return timer.unref();
  }

  const closers = [
    hub.onRights(note),
    hub.onGap(() => {
      for (const [id, session] of kept) settle(id, session);
    }),
  ];

  return {
    enter(viewer) {
      const id = viewer.sessionInternalId;
      let session = kept.get(id);
      if (!session) {
        session = {
          viewer,
          rights: rightsOf(viewer),
          settling: null,
          isOver: false,
          listeners: new Set(),
          entered: 0,
          changes: 0,
          timer: expire(id, viewer),
        };
        kept.set(id, session);
        // It may have ended between its check and this moment.
        settle(id, session);
      }
      return seat(id, session);
    },
    close() {
      for (const closer of closers) closer();
      for (const [id, session] of kept) forget(id, session);
    },
  };

  function seat(id: string, session: Kept): LiveSession {
    const own = new Set<(reason: OperationError) => void>();
    session.entered += 1;
    let isSeated = true;
    return {
      get viewer() {
        return session.viewer;
      },
      get rights() {
        return session.rights;
      },
      get settling() {
        return session.settling;
      },
      get isOver() {
        return session.isOver;
      },
      onEnd(listener) {
        own.add(listener);
        session.listeners.add(listener);
        return () => {
          own.delete(listener);
          session.listeners.delete(listener);
        };
      },
      leave() {
        if (!isSeated) return;
        isSeated = false;
        for (const listener of own) session.listeners.delete(listener);
        session.entered -= 1;
        if (session.entered === 0 && kept.get(id) === session) forget(id, session);
      },
    };
  }
}

/** Whoever blocked somebody shares with nobody: their lists leave out what others see. */
function rightsOf({ roles, permissions, hasBlocks, userId }: Viewer): string {
  if (hasBlocks) return compositeKey('only', userId);
  return compositeKey('all', compositeKey(...[...roles].sort()), ...[...permissions].sort());
}
