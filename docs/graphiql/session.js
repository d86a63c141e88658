/** The session of the tab: the access token stays in the storage of the tab and ends with it. */

const KEY = 'colloquy.graphiql';
/** Before its expiry, an access token is replaced this much earlier. */
const EARLY_MS = 20_000;

const SIGN_IN = `mutation SignIn($input: CreateSessionInput!) {
  createSession(input: $input) {
    ... on CreateSessionPayload { session { accessToken refreshToken expiresAt user { userId displayName } } }
    ... on OperationError { message }
  }
}`;
const REFRESH = `mutation Refresh($input: RefreshSessionInput!) {
  refreshSession(input: $input) { ... on RefreshSessionPayload { session { accessToken refreshToken expiresAt } } }
}`;
const SIGN_OUT = 'mutation SignOut { revokeSession(input: {}) { __typename } }';

export function currentSession() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null;
  }
}

export function keepSession(session) {
  sessionStorage.setItem(KEY, JSON.stringify(session));
}

export function forgetSession() {
  sessionStorage.removeItem(KEY);
}

/** The session with an access token that is valid for some seconds: short-lived ones are renewed, if the server can be reached. */
export async function freshSession() {
  const session = currentSession();
  if (!session?.refreshToken || Date.parse(session.expiresAt) - EARLY_MS > Date.now()) return session;
  const { data } = await execute(REFRESH, { input: { refreshToken: session.refreshToken } }, {}).catch(() => ({}));
  const renewed = data?.refreshSession?.session;
  if (renewed) keepSession({ ...session, ...renewed });
  return currentSession();
}

/** Ends the session at the server too. */
export async function endSession() {
  const session = currentSession();
  forgetSession();
  // A token that is refused has ended already.
  if (session) await execute(SIGN_OUT, {}, { authorization: `Bearer ${session.accessToken}` }).catch(() => {});
}

/** @returns {Promise<object>} the tokens with `userId` and `displayName` */
export async function createSession({ apiKey, userId, authToken }) {
  // A device of its own: the sessions of other users on the same device would end.
  const input = { userId, deviceId: `graphiql-${crypto.randomUUID()}`, authToken: authToken || null };
  const { data, errors } = await execute(SIGN_IN, { input }, { 'x-api-key': apiKey });
  const { session, message } = data?.createSession ?? {};
  if (!session) throw new Error(message ?? errors?.[0]?.message ?? 'The server refused the sign-in.');
  const { user, ...tokens } = session;
  return { ...tokens, ...user };
}

/** Users of the sample network with their tokens; none unless the page is open on the machine of the gateway. */
export async function sampleAccounts() {
  const response = await fetch('/admin/sample-accounts', { method: 'POST' });
  if (!response.ok) return [];
  const { apiKey, accounts } = await response.json();
  return apiKey === null ? [] : accounts.map((account) => ({ ...account, apiKey }));
}

async function execute(query, variables, headers) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  return response.json();
}
