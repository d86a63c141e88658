import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { BSON, type Document, Long } from 'mongodb';
import { framesInto, OP_MSG } from '../support/fault-proxy.ts';

/**
 * What happens to the replies of change streams. Everything else passes unchanged and in order.
 * `stall` holds them until the next fault; `delay` holds each for a random time.
 */
export type StreamFault = 'none' | 'stall' | { maxDelayMs: number };

/** A proxy between a gateway and its database that injects faults into change streams only. */
export interface StreamProxy {
  /** Connection string for the driver, with a direct connection. */
  uri: string;
  set(fault: StreamFault): void;
  /** Breaks the connections on which a change stream waits. @returns how many */
  cut(): number;
  /** Cursors of change streams that have been opened through the proxy. */
  cursors(): Long[];
  /** Replies of change streams that passed through. */
  readonly replies: number;
  close(): Promise<void>;
}

/** Header and flags of a message, in front of its first section. */
const SECTION_AT = 20;

/** @param random a number from 0 to below 1, for delays */
export async function startStreamProxy(target: NetConnectOpts, random: () => number): Promise<StreamProxy> {
  const pairs = new Set<{ client: Socket; server: Socket; waiting: Set<number> }>();
  const cursors = new Map<string, Long>();
  let fault: StreamFault = 'none';
  let held: Array<() => void> = [];
  let replies = 0;

  const listener = createServer((client) => {
    const pair = { client, server: connect(target), waiting: new Set<number>() };
    pairs.add(pair);
    const destroy = () => {
      pairs.delete(pair);
      client.destroy();
      pair.server.destroy();
    };
    for (const socket of [client, pair.server]) socket.on('error', () => undefined).on('close', destroy);
    client.on(
      'data',
      framesInto((frame) => {
        if (isOfChangeStream(documentOf(frame))) pair.waiting.add(frame.readInt32LE(4));
        pair.server.write(frame);
      }),
    );
    pair.server.on(
      'data',
      framesInto((frame) => {
        if (!pair.waiting.delete(frame.readInt32LE(8))) return void client.write(frame);
        replies += 1;
        noteCursor(documentOf(frame));
        const pass = () => client.destroyed || client.write(frame);
        if (fault === 'stall') held.push(pass);
        else if (fault === 'none') pass();
        else setTimeout(pass, random() * fault.maxDelayMs);
      }),
    );
  });

  function noteCursor(reply: Document | null): void {
    const id = reply?.cursor?.id;
    if (id === undefined) return;
    const cursor = Long.fromValue(id);
    if (!cursor.isZero()) cursors.set(cursor.toString(), cursor);
  }

  await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening));
  const { port } = listener.address() as { port: number };
  return {
    uri: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    set(given) {
      fault = given;
      if (given === 'stall') return;
      const passing = held;
      held = [];
      for (const pass of passing) pass();
    },
    cut() {
      const waiting = [...pairs].filter((pair) => pair.waiting.size > 0);
      for (const { client, server } of waiting) {
        client.destroy();
        server.destroy();
      }
      return waiting.length;
    },
    cursors: () => [...cursors.values()],
    get replies() {
      return replies;
    },
    async close() {
      const closed = new Promise((done) => listener.close(done));
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      await closed;
    },
  };
}

/** Whether a command opens a change stream or reads from one: a cursor of a database, not of a collection. */
function isOfChangeStream(command: Document | null): boolean {
  if (!command) return false;
  if (command.getMore !== undefined) return command.collection === '$cmd.aggregate' || isEventStream(command);
  return Boolean(command.aggregate !== undefined && command.pipeline?.[0]?.$changeStream);
}

/** Streams of one collection read from it by name, as other cursors do; these wait for data. */
const isEventStream = ({ maxTimeMS }: Document): boolean => maxTimeMS !== undefined;

/** The document of a message; null for anything but OP_MSG. */
function documentOf(frame: Buffer): Document | null {
  if (frame.readInt32LE(12) !== OP_MSG || frame[SECTION_AT] !== 0) return null;
  const body = frame.subarray(SECTION_AT + 1, SECTION_AT + 1 + frame.readInt32LE(SECTION_AT + 1));
  return BSON.deserialize(body, { promoteLongs: false });
}
