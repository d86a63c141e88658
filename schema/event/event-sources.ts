import type { GraphQLSchema } from 'graphql';
import { EVENTS, type EventName } from '../../src/events/catalogue.ts';

/** Causes of events that are no mutations. */
const OTHER_SOURCES: { readonly [Name in EventName]?: readonly string[] } = { 'file.created': ['an upload'] };

export type EventSources = { readonly [Name in EventName]: readonly string[] };

/** What causes each event: mutations, over any transport, in alphabetical order, or another cause. */
export function eventSources(schema: GraphQLSchema): EventSources {
  const mutations = Object.values(schema.getMutationType()!.getFields());
  const sourcesOf = (name: EventName) =>
    mutations.filter(({ extensions }) => (extensions.events as EventName[] | undefined)?.includes(name));
  return Object.fromEntries(
    (Object.keys(EVENTS) as EventName[]).map((name) => [
      name,
      [...sourcesOf(name).map((field) => field.name), ...(OTHER_SOURCES[name] ?? [])].sort(),
    ]),
  ) as unknown as EventSources;
}
