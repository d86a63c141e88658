import { createStore } from '../api/store.ts';

export interface Session {
  accessToken: string;
  user: { id: string; userId: string; displayName: string };
}

const KEY = 'potting-shed-session';
const stored = sessionStorage.getItem(KEY);

/** The session of this browser tab; null while nobody is signed in. Two tabs can show two users. */
export const session = createStore<Session | null>(stored === null ? null : JSON.parse(stored));

session.follow(() => {
  const current = session.get();
  if (current) sessionStorage.setItem(KEY, JSON.stringify(current));
  else sessionStorage.removeItem(KEY);
});

/** Why the last session ended, for the sign-in form. */
export const endReason = createStore<string | null>(null);

export function endSession(reason: string | null = null): void {
  endReason.set(reason);
  session.set(null);
}

const DEVICE_KEY = 'potting-shed-device';

/** A device has one session: the next sign-in with the same id, of any user, ends it. Here each tab is a device. */
function deviceId(): string {
  const id = sessionStorage.getItem(DEVICE_KEY) ?? crypto.randomUUID();
  sessionStorage.setItem(DEVICE_KEY, id);
  return id;
}

const SIGN_IN = `mutation SignIn($userId: String!, $deviceId: String!) {
  createSession(input: { userId: $userId, deviceId: $deviceId }) {
    ... on CreateSessionPayload { session { accessToken user { id userId displayName } } }
    ... on OperationError { message }
  }
}`;

/**
 * Signs in by user id, which a gateway allows outside secure mode. In production your server mints an auth token for the
 * user after it has authenticated them, and the application passes it as `authToken`.
 *
 * @throws {Error} with a message for the user
 */
export async function signIn(userId: string): Promise<void> {
  const response = await fetch(`${import.meta.env.GATEWAY_URL}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': import.meta.env.API_KEY },
    body: JSON.stringify({ query: SIGN_IN, variables: { userId, deviceId: deviceId() } }),
  }).catch(() => {
    throw new Error('The gateway cannot be reached.');
  });
  const { data, errors } = await response.json();
  const result = data?.createSession;
  if (!result?.session) throw new Error(result?.message ?? errors?.[0]?.message ?? 'Signing in failed.');
  endReason.set(null);
  session.set(result.session);
}
