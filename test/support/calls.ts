import type { Route } from '../../rest-compat/route.ts';

/** A call of a route that succeeds for `as` on the sample network, and the most database commands it may take. */
export interface SampleCall {
  as?: string;
  path: string;
  body?: unknown;
  /** Commands when nobody else is asking. */
  budget: number;
}

/** What {@link SampleCall}s need to know of the network that they cannot spell: ids that are made, not chosen. */
export interface SampleIds {
  /** A message of bob in the gardeners' chat, its feed and channel. */
  messageId: string;
  messageFeedId: string;
  channelInternalId: string;
  /** A post that waits for review. */
  waitingPostId: string;
}

export type CallTable = { [route: string]: (ids: SampleIds) => SampleCall };

export const routeName = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;
