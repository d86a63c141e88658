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
  return async (params, { headers, documentAST } = {}) => {
    // The schema needs no token, and stays readable when the session has ended.
    if (params.operationName === 'IntrospectionQuery') return post(params, headers ?? {});
    const isSubscription = documentAST?.definitions.some(
      ({ operation, name }) =>
        operation === 'subscription' && (!params.operationName || name?.value === params.operationName),
    );
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
