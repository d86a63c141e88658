/** The part of the hub that reports which networks may have got an endpoint. */
export interface EndpointChanges {
  /** Reports, before any event that was committed after it, that an endpoint was created or enabled. */
  onEndpoint(listener: () => void): () => void;
  /** Reports that such changes may have been missed. */
  onGap(listener: () => void): () => void;
}

/** Networks of which this process knows that no enabled endpoint exists, so that their events need no search for one. */
export interface NetworksWithoutEndpoints {
  has(networkId: string): boolean;
  /** To be read before a search. It grows with each change. */
  readonly changes: number;
  /** @param searchedAfter `changes` before the search that found no endpoint of the network */
  add(networkId: string, searchedAfter: number): void;
  close(): void;
}

/** Most processes serve one network; with more than these, all are searched for again. */
const MAX_NETWORKS = 10_000;

/** Valid for events that are passed on in the order of the log, because it forgets everything when an endpoint appears. */
export function followNetworksWithoutEndpoints(source: EndpointChanges): NetworksWithoutEndpoints {
  const networks = new Set<string>();
  let changes = 0;
  const forget = () => {
    changes += 1;
    networks.clear();
  };
  const unsubscribers = [source.onEndpoint(forget), source.onGap(forget)];
  return {
    has: (networkId) => networks.has(networkId),
    get changes() {
      return changes;
    },
    add(networkId, searchedAfter) {
      if (searchedAfter !== changes) return;
      if (networks.size >= MAX_NETWORKS) networks.clear();
      networks.add(networkId);
    },
    close() {
      for (const unsubscribe of unsubscribers) unsubscribe();
    },
  };
}
