import type { Services } from '../context.ts';
import type { LiveEvent } from '../events/log.ts';
import { createFanOut, type FanOut } from './fan-out.ts';
import { createLiveSessions, type LiveSessions } from './subscribers/live-sessions.ts';
import { createUserQuota, type UserQuota } from './subscribers/user-quota.ts';
import { createMemberships } from './visibility/memberships.ts';

/** Everything that hands events on, shared by the doors of one process. */
export interface Realtime {
  fanOut: FanOut;
  sessions: LiveSessions;
  /** Sockets, streams and polls. */
  connectionQuota: UserQuota;
  /** Subscriptions on sockets. */
  subscriptionQuota: UserQuota;
  close(): void;
}

export interface RealtimeOptions {
  services: Services;
  /** Connections that one user may hold open in this process. */
  perUser: number;
  /** Subscriptions that one user may have on all their sockets to this process. */
  subscriptionsPerUser: number;
  /** Told of an event that could not be written for those who listen. */
  onError(error: unknown, live: LiveEvent): void;
}

export function createRealtime({ services, perUser, subscriptionsPerUser, onError }: RealtimeOptions): Realtime {
  const memberships = createMemberships(services.events, services.store);
  const sessions = createLiveSessions(services.events, services);
  return {
    fanOut: createFanOut({ services, hub: services.events, memberships, onError }),
    sessions,
    connectionQuota: createUserQuota(perUser, 'connections'),
    subscriptionQuota: createUserQuota(subscriptionsPerUser, 'subscriptions'),
    close() {
      memberships.close();
      sessions.close();
    },
  };
}
