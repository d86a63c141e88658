import { z } from 'zod';

/** A packet of a client that the gateway handles: socket.io 2 over engine.io 3, in the text frames of a WebSocket. */
export type ClientPacket =
  | { type: 'ping'; payload: string }
  | { type: 'close' }
  | { type: 'event'; name: string; data: unknown; ackId: string | null }
  /** Valid packets without a meaning here, such as a connection to the default namespace. */
  | { type: 'ignored' };

/** Packet types of engine.io 3. */
const OPEN = '0';
const CLOSE = '1';
const PING = '2';
const PONG = '3';
const MESSAGE = '4';
/** Packet types of socket.io 2, inside a message. */
const CONNECT = '0';
const DISCONNECT = '1';
const EVENT = '2';
const ACK = '3';

/** The id with which the client expects an answer, then the name of the event and its data. */
const EVENT_TEXT = /^(\d{0,9})(\[.*)$/s;
const eventArguments = z.tuple([z.string().max(100)]).rest(z.unknown());

/** @returns null for a packet that is not valid, or of another namespace than the default one */
export function parsePacket(text: string): ClientPacket | null {
  const payload = text.slice(1);
  if (text[0] === PING) return { type: 'ping', payload };
  if (text[0] === CLOSE) return { type: 'close' };
  if (text[0] !== MESSAGE) return null;
  if (payload === CONNECT) return { type: 'ignored' };
  if (payload === DISCONNECT) return { type: 'close' };
  if (payload[0] !== EVENT) return null;
  const [, ackId, json] = EVENT_TEXT.exec(payload.slice(1)) ?? [];
  const parsed = json === undefined ? null : parseArguments(json);
  if (!parsed) return null;
  const [name, data] = parsed;
  return { type: 'event', name, data, ackId: ackId || null };
}

function parseArguments(json: string): z.output<typeof eventArguments> | null {
  try {
    return eventArguments.parse(JSON.parse(json));
  } catch {
    return null;
  }
}

/** The first packets of a connection. The client sends a ping at each interval. */
export function handshake(options: { sid: string; pingInterval: number; pingTimeout: number }): string[] {
  return [`${OPEN}${JSON.stringify({ ...options, upgrades: [] })}`, `${MESSAGE}${CONNECT}`];
}

export const pong = (payload: string): string => `${PONG}${payload}`;

export const acknowledgement = (ackId: string, answer: object): string =>
  `${MESSAGE}${ACK}${ackId}${JSON.stringify([answer])}`;
