import { useSyncExternalStore } from 'react';

const KEY = 'colloquy.session';

export interface Session {
  accessToken: string;
  userId: string;
  /** Empty unless the gateway issues short-lived access tokens. */
  refreshToken: string;
  /** When the access token expires, in ISO 8601. */
  expiresAt: string;
  /** Identifies the session: its tokens change. */
  id: string;
}

interface State {
  session: Session | null;
  /** Why the last session ended; shown by the sign-in page. */
  notice: string | null;
}

let state: State = { session: read(), notice: null };
const listeners = new Set<() => void>();

export function currentSession(): Session | null {
  return state.session;
}

/** Keeps the session until the tab closes. */
export function startSession(given: Omit<Session, 'id'>): void {
  const session = { ...given, id: crypto.randomUUID() };
  sessionStorage.setItem(KEY, JSON.stringify(session));
  change({ session, notice: null });
}

/** Replaces the tokens of a session, unless it has ended. Open subscriptions continue: listeners are not called. */
export function renewSession(tokens: Pick<Session, 'accessToken' | 'refreshToken' | 'expiresAt' | 'id'>): void {
  if (state.session?.id !== tokens.id) return;
  const session = { ...state.session, ...tokens };
  sessionStorage.setItem(KEY, JSON.stringify(session));
  state = { ...state, session };
}

export function endSession(notice: string | null = null): void {
  sessionStorage.removeItem(KEY);
  change({ session: null, notice });
}

/** Ends the session after the server has refused its token; does nothing if another one has begun meanwhile. */
export function expireSession(accessToken: string): void {
  if (state.session?.accessToken === accessToken) endSession('Your session has ended.');
}

/** Calls the listener when a session begins or ends. @returns a function that removes it */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSession(): State {
  return useSyncExternalStore(onSessionChange, () => state);
}

function change(next: State): void {
  state = next;
  for (const listener of listeners) listener();
}

function read(): Session | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Session | null;
  } catch {
    return null;
  }
}
