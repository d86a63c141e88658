import type { Route } from '../../rest-compat/route.ts';

/** A call of a route that succeeds for the user `as` of the sample network, with its budget of database commands. */
export interface SampleCall {
  as?: string;
  path: string;
  body?: unknown;
  /** Database commands without concurrent requests, at most. */
  budget: number;
}

/** Generated ids of the sample network that {@link SampleCall}s use. */
export interface SampleIds {
  /** A message by bob in the gardeners' chat, with its feed and channel. */
  messageId: string;
  messageFeedId: string;
  channelInternalId: string;
  /** A post that waits for review. */
  waitingPostId: string;
}

export type CallTable = { [route: string]: (ids: SampleIds) => SampleCall };

export const routeName = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;
