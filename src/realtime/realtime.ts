import type { Services } from '../context.ts';
import type { LiveEvent } from '../events/log.ts';
import { createFanOut, type FanOut } from './fan-out.ts';
import { createLiveSessions, type LiveSessions } from './live-sessions.ts';
import { createMemberships } from './memberships.ts';
import { createSeats, type Seats } from './seats.ts';

/** Everything that hands events on, shared by the doors of one process. */
export interface Realtime {
  fanOut: FanOut;
  sessions: LiveSessions;
  /** Sockets, streams and polls. */
  seats: Seats;
  /** Subscriptions on sockets. */
  subscriptions: Seats;
  close(): void;
}

export interface RealtimeOptions {
  services: Services;
  /** Connections that one user may hold open in this process. */
  perUser: number;
  /** Subscriptions that one user may have on all their sockets to this process. */
  subscriptionsPerUser: number;
  /** Told of an event that could not be written for those who listen. */
  onFault(error: unknown, live: LiveEvent): void;
}

export function createRealtime({ services, perUser, subscriptionsPerUser, onFault }: RealtimeOptions): Realtime {
  const memberships = createMemberships(services.events, services.store);
  const sessions = createLiveSessions(services.events, services);
  return {
    fanOut: createFanOut({ services, hub: services.events, memberships, onFault }),
    sessions,
    seats: createSeats(perUser, 'connections'),
    subscriptions: createSeats(subscriptionsPerUser, 'subscriptions'),
    close() {
      memberships.close();
      sessions.close();
    },
  };
}
