import type { BaseRecord } from './base.ts';

/** The session of an MQTT client, which continues over its connections. */
export interface MqttSessionRecord extends BaseRecord {
  userId: string;
  /** Chosen by the client; unique for the user only. */
  clientId: string;
  /** Identifies the newest connection of the client, which replaces all others. */
  connectionId: string;
  /** Whether that connection has a clean session: then the record has no topics and is removed with the connection. */
  isClean: boolean;
  /** Topic filters that were granted, oldest first. */
  topics: string[];
  /** When the TTL index removes the record; postponed while the client is connected. */
  expiresAt: Date;
}
