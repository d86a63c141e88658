import mqtt, { type IConnectPacket, type ISubscribePacket, type IUnsubscribePacket, type Packet } from 'mqtt-packet';
import { BINARY, type OutgoingMessage } from '../socket-outbox.ts';

export type { IConnectPacket, ISubscribePacket, IUnsubscribePacket, Packet };

/** Return codes of CONNACK, MQTT 3.1.1 section 3.2.2.3. */
export const CONNACK = {
  accepted: 0,
  wrongProtocol: 1,
  refusedClientId: 2,
  unavailable: 3,
  badCredentials: 4,
  notAuthorized: 5,
} as const;

export type ConnackCode = (typeof CONNACK)[keyof typeof CONNACK];

/** The code of SUBACK for a topic filter that is refused, section 3.9.3. */
export const REFUSED = 128;

// Otherwise the library keeps a buffer for each of the 65,536 message ids.
mqtt.writeToStream.cacheNumbers = false;

const VERSION = { protocolVersion: 4 };

export function connack(returnCode: ConnackCode, sessionPresent = false): Buffer {
  return mqtt.generate({ cmd: 'connack', returnCode, sessionPresent }, VERSION);
}

export function suback(messageId: number, granted: number[]): Buffer {
  return mqtt.generate({ cmd: 'suback', messageId, granted }, VERSION);
}

export function unsuback(messageId: number): Buffer {
  return mqtt.generate({ cmd: 'unsuback', messageId, granted: [] }, VERSION);
}

export const PINGRESP = mqtt.generate({ cmd: 'pingresp' }, VERSION);

/**
 * Creates the messages that publish events, each a PUBLISH packet in one binary frame. One text is delivered to many
 * connections in a row, so its bytes are kept until the next one, and the message until the next topic.
 */
export function createPublishWriter(): (topic: string, text: string) => OutgoingMessage {
  let last: { topic: string; text: string; payload: Buffer; message: OutgoingMessage } | null = null;
  return (topic, text) => {
    if (text === last?.text && topic === last.topic) return last.message;
    const payload = text === last?.text ? last.payload : Buffer.from(text);
    const packet = mqtt.generate({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false }, VERSION);
    const message: OutgoingMessage = { opcode: BINARY, prefix: null, payload: packet };
    last = { topic, text, payload, message };
    return message;
  };
}

/** Bytes that are parsed before the connection is checked again: a frame may hold thousands of packets. */
const SLICE = 4_096;

export interface PacketReader {
  read(bytes: Buffer): void;
}

export interface PacketReaderOptions {
  maxBytes: number;
  onPacket(packet: Packet): void;
  /** Called once for bytes that are not MQTT 3.1.1, or a packet that is too large. Nothing is read afterwards. */
  onInvalid(): void;
  /** Whether later bytes are ignored. */
  isClosed(): boolean;
}

/** Reads packets from the frames of a connection; a frame may contain parts of packets, or several. */
export function createPacketReader({ maxBytes, onPacket, onInvalid, isClosed }: PacketReaderOptions): PacketReader {
  const parser = mqtt.parser(VERSION);
  let isInvalid = false;
  const fail = () => {
    if (isInvalid) return;
    isInvalid = true;
    onInvalid();
  };
  parser.on('packet', (packet) => {
    if (!isInvalid && !isClosed()) onPacket(packet);
  });
  parser.on('error', fail);
  return {
    read(bytes) {
      for (let from = 0; from < bytes.length && !isInvalid && !isClosed(); from += SLICE) {
        try {
          // The parser keeps incomplete packets, whose length the client announces.
          if (parser.parse(bytes.subarray(from, from + SLICE)) > maxBytes) fail();
        } catch {
          fail();
        }
      }
    },
  };
}
