import { createHash } from 'node:crypto';
import { ObjectId } from 'mongodb';
import type { CollectionName, Records } from '../store/collections.ts';

/** Context of the record builders: a network, its ids and its clock. */
export interface SampleContext {
  networkId: string;
  /** A deterministic internal id for this kind and name in this network. */
  id(kind: string, name: string): ObjectId;
  /** The same id as 24 hexadecimal digits. */
  hex(kind: string, name: string): string;
  /** The time so many minutes after the start of the sample network; the same in every build. */
  at(minutes: number): Date;
  /** The time so many minutes after the build, for times in the future (the end of a story, a mute or a poll). */
  fromNow(minutes: number): Date;
}

/** Records by collection. Networks and sessions are not sample data. */
export type SampleNetwork = {
  [Name in Exclude<
    CollectionName,
    | 'networks'
    | 'sessions'
    | 'keyedWrites'
    | 'mqttSessions'
    | 'rateCounters'
    | 'distinctConversations'
    | 'userBlocks'
    | 'pushDevices'
    | 'contentRules'
    | 'views'
    | 'commentCounters'
    | 'events'
    | 'searchEntries'
    | 'webhookEndpoints'
    | 'webhookDeliveries'
    | 'webhookBodies'
    | 'webhookPositions'
    | 'auditEntries'
    | 'userErasures'
    | 'userExports'
  >]: Records[Name][];
};

/** Input of a builder: required and optional fields of the record. */
export type Given<Record, Required extends keyof Record> = Pick<Record, Required> & Partial<Record>;

const EPOCH = Date.UTC(2026, 0, 5, 8);
const MINUTE = 60_000;
const EPOCH_SECONDS = (EPOCH / 1000).toString(16).padStart(8, '0');

export const YEAR = 365 * 24 * 60;

/** @param now time of the build */
export function createSampleContext(network: { networkId: string; now: Date }): SampleContext {
  const { networkId, now } = network;
  const hex = (kind: string, name: string): string => {
    // Includes the network, so that two networks in one database have different internal ids.
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
