import { useSyncExternalStore } from 'react';

const KEY = 'colloquy.session';

export interface Session {
  apiKey: string;
  accessToken: string;
  userId: string;
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
export function startSession(session: Session): void {
  sessionStorage.setItem(KEY, JSON.stringify(session));
  change({ session, notice: null });
}

export function endSession(notice: string | null = null): void {
  sessionStorage.removeItem(KEY);
  change({ session: null, notice });
}

export function useSession(): State {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
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
