/** Sends operations of GraphiQL: queries and mutations over HTTP, subscriptions over a WebSocket. */

import { createClient } from './graphql-ws/client.js';
import { forgetSession, freshSession } from './session.js';

/**
 * Creates the fetcher of GraphiQL. Headers of its editor replace those of the sign-in; a WebSocket sends them with its
 * first message.
 *
 * @param {object} options
 * @param {() => void} options.onEnded called after the server refuses the token of the sign-in
 */
export function createFetcher({ onEnded }) {
  return async (given, { headers } = {}) => {
    const { params, isSubscription } = currentOperation(given);
    // The schema needs no token, and stays readable when the session has ended.
    if (params.operationName === 'IntrospectionQuery') return post(params, headers ?? {});
    const session = await freshSession();
    const sent = { ...(session && { Authorization: `Bearer ${session.accessToken}` }), ...headers };
    if (isSubscription) return subscribe(params, sent);
    return post(params, sent, () => {
      if (sent.Authorization !== `Bearer ${session?.accessToken}`) return;
      forgetSession();
      onEnded();
    });
  };
}

/**
 * Removes the name of an operation that the document does not contain: for a moment after a change of tabs, GraphiQL
 * still gives the name and the parsed document of the tab before.
 */
function currentOperation(params) {
  const operations = [...params.query.matchAll(/^[ \t]*(query|mutation|subscription)\b[ \t]*(\w*)/gm)];
  const named = operations.filter(([, , name]) => name === params.operationName);
  const { operationName, ...unnamed } = params;
  const isKnown = !operationName || named.length > 0;
  return {
    params: isKnown ? params : unnamed,
    isSubscription: (operationName && isKnown ? named : operations).some(([, kind]) => kind === 'subscription'),
  };
}

async function post(params, headers, onRefused) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { accept: 'application/graphql-response+json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(params),
  });
  if (response.status === 401) onRefused?.();
  return response.json();
}

async function* subscribe(params, connectionParams) {
  const url = `${location.origin.replace(/^http/, 'ws')}/graphql`;
  const client = createClient({ url, connectionParams, retryAttempts: 0 });
  try {
    yield* client.iterate(params);
  } catch (error) {
    // Without this, GraphiQL would print the event object of a closed connection.
    if (typeof error?.code === 'number') throw new Error(`The connection was closed: ${error.reason || error.code}.`);
    throw error;
  } finally {
    await client.dispose();
  }
}
