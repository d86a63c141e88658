/** The listeners of each topic filter of one network. */
export interface TopicIndex<Listener> {
  add(filter: string, listener: Listener): void;
  remove(filter: string, listener: Listener): void;
  listenersOf(filter: string): ReadonlySet<Listener>;
}

export function createTopicIndex<Listener>(): TopicIndex<Listener> {
  const byFilter = new Map<string, Set<Listener>>();
  const none: ReadonlySet<Listener> = new Set();
  return {
    add(filter, listener) {
      const listeners = byFilter.get(filter);
      if (listeners) listeners.add(listener);
      else byFilter.set(filter, new Set([listener]));
    },
    remove(filter, listener) {
      const listeners = byFilter.get(filter);
      if (listeners?.delete(listener) && listeners.size === 0) byFilter.delete(filter);
    },
    listenersOf: (filter) => byFilter.get(filter) ?? none,
  };
}
