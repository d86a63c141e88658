import { ApolloClient, ApolloLink, CombinedGraphQLErrors, HttpLink } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { isCursorExpired, resumable } from 'colloquy-client';
import { type Client, createClient } from 'graphql-ws';
import { EventsDocument, PositionDocument } from '../../generated/operations.ts';
import { endSession, type Session } from '../session/session.ts';
import { applyEvent } from './apply-event.ts';
import { createCache } from './cache.ts';
import { createStore, type Store } from './store.ts';

/** The connection of a signed-in user to the gateway. */
export interface Connection {
  client: ApolloClient;
  status: Store<'connecting' | 'online' | 'offline'>;
  /** Whether the changes of what queries load from now on are delivered. */
  isFollowing: Store<boolean>;
  close(): void;
}

/** Codes with which the gateway closes the WebSocket of a session that has ended. */
const UNAUTHORIZED = 4401;
const FORBIDDEN = 4403;
const RETRY_MS = 1_000;

/** Opens the WebSocket and follows the events of the network until `close`. */
export function connect({ accessToken, user }: Session): Connection {
  const { GATEWAY_URL } = import.meta.env;
  const status = createStore<'connecting' | 'online' | 'offline'>('connecting');
  const isFollowing = createStore(false);
  const authorization = `Bearer ${accessToken}`;
  const socket = createClient(
    resumable({
      url: `${GATEWAY_URL.replace(/^http/, 'ws')}/graphql`,
      connectionParams: { authorization },
      on: {
        connected: () => status.set('online'),
        closed: () => status.set('offline'),
      },
    }),
  );
  const client = new ApolloClient({
    cache: createCache(),
    link: ApolloLink.split(
      ({ operationType }) => operationType === 'subscription',
      new GraphQLWsLink(socket),
      new HttpLink({ uri: `${GATEWAY_URL}/graphql`, headers: { authorization } }),
    ),
  });
  const stop = follow({ client, socket, viewerId: user.userId, onStart: () => isFollowing.set(true) });
  return {
    client,
    status,
    isFollowing,
    close() {
      stop();
      void socket.dispose();
      client.stop();
    },
  };
}

interface FollowOptions {
  client: ApolloClient;
  socket: Client;
  viewerId: string;
  /** Called once the position is known: what is loaded after it is followed without a gap. */
  onStart(): void;
}

/**
 * Reads the position of the event log, lets the pages load their data, and applies all events from that position on. If
 * the log no longer contains the next event, everything on display is loaded again from a new position.
 *
 * @returns a function that ends it
 */
function follow({ client, socket, viewerId, onStart }: FollowOptions): () => void {
  let isStopped = false;
  let unsubscribe = () => {};

  async function start(): Promise<void> {
    const after = await position();
    if (after === null) return;
    onStart();
    await client.refetchQueries({ include: 'active' });
    if (isStopped) return;
    const subscription = client.subscribe({ query: EventsDocument, variables: { after } }).subscribe({
      next({ data, error }) {
        if (data) applyEvent(client, data.events, viewerId);
        if (error) onError(error);
      },
    });
    unsubscribe = () => subscription.unsubscribe();
  }

  /** The position, once the gateway answers; null after the end. */
  async function position(): Promise<string | null> {
    while (!isStopped) {
      const { data } = await client
        .query({ query: PositionDocument, fetchPolicy: 'network-only' })
        .catch(() => ({ data: undefined }));
      if (data) return isStopped ? null : data.eventCursor;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    return null;
  }

  /** An expired cursor ends the subscription; another error says that one event could not be shown. */
  function onError(error: unknown): void {
    if (isStopped) return;
    if (CombinedGraphQLErrors.is(error) && isCursorExpired(error.errors)) void start();
    else void client.refetchQueries({ include: 'active' });
  }

  const unlisten = socket.on('closed', (event) => {
    const { code } = event as { code?: number };
    if (code === UNAUTHORIZED) endSession('Your session has ended. Sign in again.');
    if (code === FORBIDDEN) endSession('Your account is closed.');
  });
  void start();
  return () => {
    isStopped = true;
    unlisten();
    unsubscribe();
  };
}
