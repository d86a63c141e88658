import { ApolloClient, ApolloLink, CombinedGraphQLErrors, HttpLink } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { isCursorExpired, resumable } from 'colloquy-client';
import { type Client, createClient } from 'graphql-ws';
import { EventsDocument, PositionDocument } from '../../generated/operations.ts';
import { endSession, type Session } from '../session/session.ts';
import { applyEvent, type LiveEvent, reapplyEvent } from './apply-event.ts';
import { createCache } from './cache.ts';
import { createEventReplay, type EventReplay } from './event-replay.ts';
import { createQueryRetry } from './retry-queries.ts';
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
  let isClosed = false;
  const replay = createEventReplay<LiveEvent>((event) => reapplyEvent(client, event, user.userId));
  const client: ApolloClient = new ApolloClient({
    cache: createCache(),
    link: ApolloLink.split(
      ({ operationType }) => operationType === 'subscription',
      new GraphQLWsLink(socket),
      ApolloLink.from([
        replay.link,
        createQueryRetry(() => isClosed),
        new HttpLink({ uri: `${GATEWAY_URL}/graphql`, headers: { authorization } }),
      ]),
    ),
  });
  const stop = follow({ client, socket, replay, viewerId: user.userId, onStart: () => isFollowing.set(true) });
  return {
    client,
    status,
    isFollowing,
    close() {
      isClosed = true;
      stop();
      void socket.dispose();
      client.stop();
    },
  };
}

interface FollowOptions {
  client: ApolloClient;
  socket: Client;
  replay: EventReplay<LiveEvent>;
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
function follow({ client, socket, replay, viewerId, onStart }: FollowOptions): () => void {
  let isStopped = false;
  let unsubscribe = () => {};

  async function start(): Promise<void> {
    const after = await position();
    if (after === null) return;
    onStart();
    await reload();
    if (isStopped) return;
    const subscription = client.subscribe({ query: EventsDocument, variables: { after } }).subscribe({
      next({ data, error }) {
        if (data) {
          applyEvent(client, data.events, viewerId);
          replay.record(data.events);
        }
        if (error) onError(error);
      },
      complete: () => void restart(),
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

  /** Loads everything on display again, after an event that could not be shown. */
  function onError(error: unknown): void {
    const hasExpired = CombinedGraphQLErrors.is(error) && isCursorExpired(error.errors);
    if (!isStopped && !hasExpired) void reload();
  }

  /** Continues from a new position when the gateway has ended the subscription, such as for an expired cursor. */
  async function restart(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    if (!isStopped) await start();
  }

  /** Queries that fail for good show their errors themselves. */
  const reload = () => client.refetchQueries({ include: 'active' }).catch(() => undefined);

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
