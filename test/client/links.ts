import { ApolloClient, gql, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { subscriptionExchange, Client as UrqlClient } from '@urql/core';
import type { Client } from 'graphql-ws';
import {
  type ConcreteRequest,
  Environment,
  Network,
  Observable,
  RecordSource,
  requestSubscription,
  Store,
  type SubscribeFunction,
} from 'relay-runtime';
import type { Sink } from '../../client/src/index.ts';

/** Subscribes to `postUpdated` with a topic; returns a function that stops. */
export type Subscribe = (topic: string, sink: Sink) => () => void;

/** The document that each client of this file sends. */
export const POST_UPDATED = `subscription PostUpdated($topic: String, $after: String) {
  postUpdated(topic: $topic, after: $after) { path cursor post { postId } }
}`;

/** Apollo Client, urql and Relay over a resumable client each, as the guide connects them. */
export function linksOver(socket: () => Client): { apollo: Subscribe; urql: Subscribe; relay: Subscribe } {
  return { apollo: apolloOver(socket()), urql: urqlOver(socket()), relay: relayOver(socket()) };
}

function apolloOver(client: Client): Subscribe {
  const apollo = new ApolloClient({ link: new GraphQLWsLink(client), cache: new InMemoryCache() });
  return (topic, sink) => {
    const results = apollo.subscribe<Record<string, unknown>>({ query: gql(POST_UPDATED), variables: { topic } });
    const running = results.subscribe({
      next: ({ data, error }) => (error ? sink.error(error) : sink.next({ data: data ?? null })),
      error: sink.error,
      complete: sink.complete,
    });
    return () => running.unsubscribe();
  };
}

function urqlOver(client: Client): Subscribe {
  const exchange = subscriptionExchange({
    forwardSubscription: ({ query, variables }) => ({
      subscribe: (sink) => ({
        unsubscribe: client.subscribe({ query: query ?? '', variables }, sink as Parameters<Client['subscribe']>[1]),
      }),
    }),
  });
  const urql = new UrqlClient({ url: 'http://127.0.0.1/', preferGetMethod: false, exchanges: [exchange] });
  return (topic, sink) => {
    const running = urql
      .subscription(POST_UPDATED, { topic })
      .subscribe(({ data, error }) => (error ? sink.error(error) : sink.next({ data })));
    return () => running.unsubscribe();
  };
}

function relayOver(client: Client): Subscribe {
  const subscribe: SubscribeFunction = ({ text }, variables) =>
    Observable.create((sink) =>
      client.subscribe({ query: text ?? '', variables }, sink as Parameters<Client['subscribe']>[1]),
    );
  const unused = () => {
    throw new Error('Only subscriptions are sent.');
  };
  const environment = new Environment({
    network: Network.create(unused, subscribe),
    store: new Store(new RecordSource()),
  });
  return (topic, sink) => {
    const running = requestSubscription(environment, {
      subscription: POST_UPDATED_OF_RELAY,
      variables: { topic },
      onNext: (data) => sink.next({ data: data as Record<string, unknown> }),
      onError: sink.error,
      onCompleted: sink.complete,
    });
    return () => running.dispose();
  };
}

const scalar = (name: string) => ({ alias: null, args: null, kind: 'ScalarField', name, storageKey: null }) as const;
const argument = (name: string) => ({ defaultValue: null, kind: 'LocalArgument', name }) as const;
const variable = (name: string) => ({ kind: 'Variable', name, variableName: name }) as const;
const SELECTIONS = [
  {
    alias: null,
    args: [variable('after'), variable('topic')],
    concreteType: 'PostEvent',
    kind: 'LinkedField',
    name: 'postUpdated',
    plural: false,
    selections: [scalar('path'), scalar('cursor')],
    storageKey: null,
  },
] as const;
const ARGUMENTS = [argument('topic'), argument('after')] as const;

/** What Relay's compiler writes for {@link POST_UPDATED}, without the post. */
const POST_UPDATED_OF_RELAY: ConcreteRequest = {
  kind: 'Request',
  fragment: {
    argumentDefinitions: ARGUMENTS,
    kind: 'Fragment',
    metadata: null,
    name: 'PostUpdated',
    selections: SELECTIONS,
    type: 'Subscription',
    abstractKey: null,
  },
  operation: { argumentDefinitions: ARGUMENTS, kind: 'Operation', name: 'PostUpdated', selections: SELECTIONS },
  params: {
    cacheID: 'PostUpdated',
    id: null,
    metadata: {},
    name: 'PostUpdated',
    operationKind: 'subscription',
    text: POST_UPDATED,
  },
};
