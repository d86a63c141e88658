import type { Services, Viewer } from '../../context.ts';
import { viewerOfSession } from '../../domain/session/authenticate.ts';
import { sessionEndReason } from '../../domain/session/session-end-reason.ts';
import { OperationError } from '../../errors.ts';
import type { Hub } from '../../events/hub.ts';
import type { RightsChange } from '../../events/log.ts';
import { compositeKey } from '../../lib/composite-key.ts';
import { createEarliestTimer } from '../../lib/earliest-timer.ts';

/** A session with its current rights. */
export interface LiveSession {
  /** Replaced when the user's roles change. */
  readonly viewer: Viewer;
  /** Key of the viewer's rights: viewers with equal keys may see the same, so they can share a rendering. */
  readonly rightsKey: string;
  /** Set while the session is being reloaded; delivery waits for it. */
  readonly refreshing: Promise<void> | null;
  /** Nothing is delivered to an ended session, even while its connection is still closing. */
  readonly hasEnded: boolean;
  /** Called once when the session expires or ends: UNAUTHORIZED, or BANNED when the user was banned or deleted. */
  onEnd(listener: (reason: OperationError) => void): () => void;
  /**
   * Compares the rights with those in the database before a subscription begins on an open connection, since the log may
   * not have reported all changes that precede the request.
   */
  check(): Promise<void>;
  release(): void;
}

/** Tracks the sessions of subscribers in this process. A session that ends in any process ends here immediately. */
export interface LiveSessions {
  acquire(viewer: Viewer): LiveSession;
  close(): void;
}

interface TrackedSession extends Omit<LiveSession, 'onEnd' | 'check' | 'release'> {
  viewer: Viewer;
  rightsKey: string;
  refreshing: Promise<void> | null;
  hasEnded: boolean;
  listeners: Set<(reason: OperationError) => void>;
  references: number;
  /** Number of changes reported so far. A reload that began before the latest one is discarded. */
  changes: number;
}

const RETRY_MS = 500;

/** @param onRequest called with the viewer of each request that starts to receive events */
export function createLiveSessions(hub: Hub, services: Services, onRequest: (viewer: Viewer) => void): LiveSessions {
  const tracked = new Map<string, TrackedSession>();
  const expiry = createEarliestTimer(endExpired);

  function onRightsChange({ collection, id }: RightsChange): void {
    if (collection === 'roles') for (const [key, session] of tracked) refresh(key, session);
    const session = collection === 'sessions' ? tracked.get(id) : undefined;
    if (session) refresh(id, session);
  }

  /** Reloads the session. If it changes again meanwhile, only the latest reload takes effect. */
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
          session.rightsKey = rightsKeyOf(viewer);
          session.refreshing = null;
          expiry.due(millisecondsLeft(session));
          return;
        } catch {
          // Deliveries wait for the reload, so none happens with outdated rights.
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
    tracked.delete(id);
    session.hasEnded = true;
    // Releases deliveries that wait for the reload.
    session.refreshing = null;
  }

  const millisecondsLeft = ({ viewer }: TrackedSession): number =>
    viewer.expiresAt.getTime() - services.now().getTime();

  /** Ends the sessions that have expired. @returns when the next one expires, in milliseconds from now */
  function endExpired(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const [id, session] of tracked) {
      const left = millisecondsLeft(session);
      if (left > 0) next = Math.min(next, left);
      else end(id, new OperationError('UNAUTHORIZED', { message: 'The token has expired.' }));
    }
    return next;
  }

  async function check(session: TrackedSession): Promise<void> {
    const { networkId, sessionId, sessionInternalId } = session.viewer;
    onRequest(session.viewer);
    const viewer = await viewerOfSession(services, networkId, sessionId);
    if (tracked.get(sessionInternalId) !== session) return;
    if (viewer === null || rightsKeyOf(viewer) !== session.rightsKey) refresh(sessionInternalId, session);
  }

  function releaseIfUnused(session: TrackedSession): void {
    const id = session.viewer.sessionInternalId;
    if (session.references === 0 && tracked.get(id) === session) untrack(id, session);
  }

  const tracker: SessionTracker = { check, onRelease: releaseIfUnused };
  const unsubscribers = [
    hub.onRights(onRightsChange),
    hub.onGap(() => {
      for (const [id, session] of tracked) refresh(id, session);
    }),
  ];

  return {
    acquire(viewer) {
      onRequest(viewer);
      const id = viewer.sessionInternalId;
      let session = tracked.get(id);
      if (!session) {
        session = {
          viewer,
          rightsKey: rightsKeyOf(viewer),
          refreshing: null,
          hasEnded: false,
          listeners: new Set(),
          references: 0,
          changes: 0,
        };
        tracked.set(id, session);
        expiry.due(millisecondsLeft(session));
        // It may have ended since it was authenticated.
        refresh(id, session);
      } else if (rightsKeyOf(viewer) !== session.rightsKey) {
        // The request read other rights from the database than the log has reported yet.
        refresh(id, session);
      }
      return new SessionHandle(session, tracker);
    },
    close() {
      expiry.close();
      for (const unsubscribe of unsubscribers) unsubscribe();
      for (const [id, session] of tracked) untrack(id, session);
    },
  };
}

interface SessionTracker {
  check(session: TrackedSession): Promise<void>;
  onRelease(session: TrackedSession): void;
}

/** A class, because it exists once for each idle connection and its properties are read for each event. */
class SessionHandle implements LiveSession {
  readonly #session: TrackedSession;
  readonly #tracker: SessionTracker;
  /** The listeners of this connection; null after its release. */
  #listeners: Array<(reason: OperationError) => void> | null = [];

  constructor(session: TrackedSession, tracker: SessionTracker) {
    this.#session = session;
    this.#tracker = tracker;
    session.references += 1;
  }

  get viewer(): Viewer {
    return this.#session.viewer;
  }

  get rightsKey(): string {
    return this.#session.rightsKey;
  }

  get refreshing(): Promise<void> | null {
    return this.#session.refreshing;
  }

  get hasEnded(): boolean {
    return this.#session.hasEnded;
  }

  onEnd(listener: (reason: OperationError) => void): () => void {
    this.#listeners?.push(listener);
    this.#session.listeners.add(listener);
    return () => void this.#session.listeners.delete(listener);
  }

  check(): Promise<void> {
    return this.#tracker.check(this.#session);
  }

  release(): void {
    if (!this.#listeners) return;
    for (const listener of this.#listeners) this.#session.listeners.delete(listener);
    this.#listeners = null;
    this.#session.references -= 1;
    this.#tracker.onRelease(this.#session);
  }
}

/** The renderings of viewers who blocked someone are not shared, because lists omit content for them. */
function rightsKeyOf({ roles, permissions, hasBlocks, userId, userType }: Viewer): string {
  if (hasBlocks) return compositeKey('only', userId);
  if (userType !== 'signed-in') return userType;
  return compositeKey('all', compositeKey(...[...roles].sort()), ...[...permissions].sort());
}
