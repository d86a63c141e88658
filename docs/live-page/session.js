/** The session of the live page. Its tokens are renewed before they expire, if the gateway issues short-lived ones. */

const RETRY_MS = 2_000;

async function post(path, body, headers = {}) {
  return fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

async function refresh(refreshToken) {
  const response = await post('/api/v5/sessions/refresh', { refreshToken });
  return { status: response.status, renewed: response.ok ? await response.json() : null };
}

/**
 * Signs in, or takes the given access token, which has no refresh token.
 *
 * @param {{userId: string, apiKey: string, authToken: string, token: string}} credentials
 * @returns {Promise<{token: () => string, renew: () => Promise<boolean>, close: () => void}>} `renew` resolves to whether
 *   the session has a new access token; `token` is the current one
 */
export async function openSession({ userId, apiKey, authToken, token }) {
  if (token) return createSession({ accessToken: token, refreshToken: '' });
  const body = { userId, deviceId: 'live-page', ...(authToken && { authToken }) };
  const response = await post('/api/v5/sessions', body, { 'x-api-key': apiKey });
  const answer = await response.json();
  if (!response.ok) throw new Error([answer.message, ...(answer.data?.detail ?? [])].join(' '));
  return createSession(answer);
}

function createSession(first) {
  let tokens = first;
  let timer;
  let renewal = null;
  let isClosed = false;

  /** Keeps the connection open, too: it lasts while its session has a valid access token. */
  function renewInTime() {
    clearTimeout(timer);
    if (isClosed || tokens.refreshToken === '') return;
    // Both times are those of the server, whose clock may differ.
    const lifetime = Date.parse(tokens.expiresAt) - Date.parse(tokens.issuedAt);
    timer = setTimeout(renew, 0.75 * lifetime);
  }

  /** Repeats the request until the gateway answers: a refresh token can be used again for 30 seconds. */
  async function request() {
    while (!isClosed && tokens.refreshToken !== '') {
      const { status, renewed } = await refresh(tokens.refreshToken).catch(() => ({ status: 503 }));
      if (renewed) {
        tokens = renewed;
        renewInTime();
        return true;
      }
      if (status < 500 && status !== 429) return false;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    return false;
  }

  function renew() {
    renewal ??= request().finally(() => {
      renewal = null;
    });
    return renewal;
  }

  renewInTime();
  return {
    token: () => tokens.accessToken,
    renew,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
