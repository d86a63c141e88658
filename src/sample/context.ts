import { createHash } from 'node:crypto';
import { ObjectId } from 'mongodb';
import type { CollectionName, Records } from '../store/collections.ts';

/** What records are made in: one network and two clocks. */
export interface SampleContext {
  networkId: string;
  /** The internal id of whatever has this kind and name in this network: always the same one. */
  id(kind: string, name: string): ObjectId;
  /** The same as 24 hexadecimal digits. */
  hex(kind: string, name: string): string;
  /** Minutes after the day the sample network began; the same in every build. */
  at(minutes: number): Date;
  /** Minutes after the moment of building, for what must still lie ahead (the end of a story, a mute or a poll). */
  fromNow(minutes: number): Date;
}

/** Records by collection. Networks and sessions are not sample data. */
export type SampleNetwork = {
  [Name in Exclude<
    CollectionName,
    | 'networks'
    | 'sessions'
    | 'keyedWrites'
    | 'userBlocks'
    | 'views'
    | 'commentCounters'
    | 'events'
    | 'webhookEndpoints'
    | 'webhookDeliveries'
    | 'webhookPositions'
  >]: Records[Name][];
};

/** What a builder must be given, and what it may. */
export type Given<Record, Required extends keyof Record> = Pick<Record, Required> & Partial<Record>;

const EPOCH = Date.UTC(2026, 0, 5, 8);
const MINUTE = 60_000;
const EPOCH_SECONDS = (EPOCH / 1000).toString(16).padStart(8, '0');

export const YEAR = 365 * 24 * 60;

/** @param now the moment of building */
export function createSampleContext(network: { networkId: string; now: Date }): SampleContext {
  const { networkId, now } = network;
  const hex = (kind: string, name: string): string => {
    // The network takes part, so that two networks in one database share no internal id.
    const digest = createHash('sha256').update(`${networkId}\0${kind}\0${name}`).digest('hex');
    return EPOCH_SECONDS + digest.slice(0, 16);
  };
  return {
    networkId,
    hex,
    id: (kind, name) => ObjectId.createFromHexString(hex(kind, name)),
    at: (minutes) => new Date(EPOCH + minutes * MINUTE),
    fromNow: (minutes) => new Date(now.getTime() + minutes * MINUTE),
  };
}
