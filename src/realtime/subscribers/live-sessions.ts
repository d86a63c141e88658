import type { Services, Viewer } from '../../context.ts';
import { viewerOfSession } from '../../domain/session/authenticate.ts';
import { sessionEndReason } from '../../domain/session/session-end-reason.ts';
import { OperationError } from '../../errors.ts';
import type { Hub } from '../../events/hub.ts';
import type { RightsChange } from '../../events/log.ts';
import { compositeKey } from '../../lib/composite-key.ts';

/** Who listens, as they stand now. */
export interface LiveSession {
  /** Replaced when their roles change. */
  readonly viewer: Viewer;
  /** Whoever has the same one has the same rights in the network, and nothing that lists leave out for them alone. */
  readonly rights: string;
  /** Not null while it is being found out how they stand: nothing is told to them meanwhile. */
  readonly refreshing: Promise<void> | null;
  /** Nothing more is told to it, even while its connection is still being closed. */
  readonly hasEnded: boolean;
  /** Called once when the session has expired or was ended, with UNAUTHORIZED, or BANNED for a user who was banned or deleted. */
  onEnd(listener: (reason: OperationError) => void): () => void;
  release(): void;
}

/** The sessions that somebody listens with in this process; each is ended the moment it ends anywhere. */
export interface LiveSessions {
  acquire(viewer: Viewer): LiveSession;
  close(): void;
}

interface TrackedSession extends Omit<LiveSession, 'onEnd' | 'release'> {
  viewer: Viewer;
  rights: string;
  refreshing: Promise<void> | null;
  hasEnded: boolean;
  listeners: Set<(reason: OperationError) => void>;
  references: number;
  /** How often it was told that something changed. */
  changes: number;
  timer: NodeJS.Timeout;
}

/** What a timer can wait at most. */
const LONGEST_MS = 2 ** 31 - 1;
const RETRY_MS = 500;

export function createLiveSessions(hub: Hub, services: Services): LiveSessions {
  const tracked = new Map<string, TrackedSession>();

  function onRightsChange({ collection, id }: RightsChange): void {
    if (collection === 'roles') {
      services.store.roleBook.forgetAll();
      for (const [key, session] of tracked) refresh(key, session);
    }
    const session = collection === 'sessions' ? tracked.get(id) : undefined;
    if (session) refresh(id, session);
  }

  /** Finds out how the session stands now. Of several changes at once the last one is looked at too. */
  function refresh(id: string, session: TrackedSession): void {
    session.changes += 1;
    const change = session.changes;
    session.refreshing = (async () => {
      while (tracked.get(id) === session) {
        try {
          const { networkId, sessionId } = session.viewer;
          const viewer = await viewerOfSession(services, networkId, sessionId);
          if (session.changes !== change || session.hasEnded) return;
          if (!viewer) return end(id, await sessionEndReason(services, session.viewer));
          session.viewer = viewer;
          session.rights = rightsOf(viewer);
          session.refreshing = null;
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
    const session = tracked.get(id);
    if (!session) return;
    untrack(id, session);
    for (const listener of session.listeners) listener(reason);
  }

  function untrack(id: string, session: TrackedSession): void {
    clearTimeout(session.timer);
    tracked.delete(id);
    session.hasEnded = true;
    // Whoever waits to hear how it stands has heard.
    session.refreshing = null;
  }

  function expire(id: string, { expiresAt }: Viewer): NodeJS.Timeout {
    const left = expiresAt.getTime() - services.now().getTime();
    const timer = setTimeout(
      () => {
        const session = tracked.get(id);
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
    hub.onRights(onRightsChange),
    hub.onGap(() => {
      for (const [id, session] of tracked) refresh(id, session);
    }),
  ];

  return {
    acquire(viewer) {
      const id = viewer.sessionInternalId;
      let session = tracked.get(id);
      if (!session) {
        session = {
          viewer,
          rights: rightsOf(viewer),
          refreshing: null,
          hasEnded: false,
          listeners: new Set(),
          references: 0,
          changes: 0,
          timer: expire(id, viewer),
        };
        tracked.set(id, session);
        // It may have ended between its check and this moment.
        refresh(id, session);
      }
      return createHandle(id, session);
    },
    close() {
      for (const closer of closers) closer();
      for (const [id, session] of tracked) untrack(id, session);
    },
  };

  function createHandle(id: string, session: TrackedSession): LiveSession {
    const own = new Set<(reason: OperationError) => void>();
    session.references += 1;
    let isSeated = true;
    return {
      get viewer() {
        return session.viewer;
      },
      get rights() {
        return session.rights;
      },
      get refreshing() {
        return session.refreshing;
      },
      get hasEnded() {
        return session.hasEnded;
      },
      onEnd(listener) {
        own.add(listener);
        session.listeners.add(listener);
        return () => {
          own.delete(listener);
          session.listeners.delete(listener);
        };
      },
      release() {
        if (!isSeated) return;
        isSeated = false;
        for (const listener of own) session.listeners.delete(listener);
        session.references -= 1;
        if (session.references === 0 && tracked.get(id) === session) untrack(id, session);
      },
    };
  }
}

/** Whoever blocked somebody shares with nobody: their lists leave out what others see. */
function rightsOf({ roles, permissions, hasBlocks, userId }: Viewer): string {
  if (hasBlocks) return compositeKey('only', userId);
  return compositeKey('all', compositeKey(...[...roles].sort()), ...[...permissions].sort());
}
