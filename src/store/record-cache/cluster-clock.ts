import type { MongoClient, Timestamp, TopologyDescription } from 'mongodb';
import { clusterTimeOf } from './change-feed.ts';

/** The newest cluster time that this process knows. */
export interface ClusterClock {
  /** Identifies the primary and its term; null without one. */
  readonly primary: string | null;
  /** The largest cluster time in any reply of this primary; 0 if unknown. */
  newestTime(): bigint;
}

/** @param onNewPrimary called after the clock has been reset: the times of the new primary may be lower */
export function createClusterClock(client: MongoClient, onNewPrimary: () => void): ClusterClock {
  let primary: string | null = null;
  /** The time that was read last, and the largest one. */
  let known: Timestamp | null = null;
  let knownTime = 0n;

  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    const current = primaryOf(newDescription);
    if (current === primary) return;
    primary = current;
    known = null;
    knownTime = 0n;
    onNewPrimary();
  });

  return {
    get primary() {
      return primary;
    },
    newestTime() {
      const time = (client as unknown as WithTopology).topology?.clusterTime?.clusterTime ?? null;
      if (time !== known && time !== null) {
        known = time;
        const found = clusterTimeOf(time);
        if (found > knownTime) knownTime = found;
      }
      return knownTime;
    },
  };
}

/** The part of the driver's client that is not public: the largest `$clusterTime` of all replies. */
interface WithTopology {
  topology?: { clusterTime?: { clusterTime: Timestamp } };
}

function primaryOf({ servers }: TopologyDescription): string | null {
  for (const { type, address, electionId } of servers.values()) {
    if (type === 'RSPrimary') return `${address} ${electionId?.toHexString() ?? ''}`;
  }
  return null;
}
