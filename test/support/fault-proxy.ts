import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';

/** What the proxy does with everything that passes. `hang` leaves connections open and moves nothing. */
export type Fault = 'none' | 'hang' | { delayMs: number };

export interface CutOptions {
  /** Commands that are cut off, such as `commitTransaction`. */
  command: (name: string) => boolean;
  /** Before the server got the command, or after it answered and before the client heard. */
  when: 'before' | 'after';
  /** How many commands. @default 1 */
  times?: number;
}

/** A TCP address in front of a database, where connections go wrong on demand. */
export interface FaultProxy {
  /** For the driver; one address, which it takes as it is. */
  uri: string;
  /** Breaks every open connection. */
  cut(): void;
  /** Breaks connections at the next commands of a kind. @returns how many were cut so far */
  cutNext(options: CutOptions): () => number;
  set(fault: Fault): void;
  /** Answers commands in the database's place, where `answer` has one. */
  answer(answer: (command: string) => Document | null): void;
  /** Commands that the database never gets; their connections stay open. @returns how many it was so far */
  swallow(command: (name: string) => boolean): () => number;
  /** Takes no connections any more and breaks the open ones, as when nobody listens. */
  refuse(): Promise<void>;
  /** Takes connections again, at the same address. */
  accept(): Promise<void>;
  close(): Promise<void>;
}

interface Armed extends Required<CutOptions> {
  done: number;
}

interface Pair {
  client: Socket;
  server: Socket;
}

/** @param target where the database listens; nobody need listen there yet */
export async function startFaultProxy(target: NetConnectOpts): Promise<FaultProxy> {
  const pairs = new Set<Pair>();
  let fault: Fault = 'none';
  let armed: Armed | null = null;
  let answering: (command: string) => Document | null = () => null;
  let swallowing: { command: (name: string) => boolean; done: number } | null = null;
  let listener: Server | null = null;
  let port = 0;

  function serve(client: Socket): void {
    const pair: Pair = { client, server: connect(target) };
    pairs.add(pair);
    let isDoomed = false;
    for (const socket of [pair.client, pair.server]) {
      socket.on('error', () => undefined);
      socket.on('close', () => destroy(pair));
    }
    client.on(
      'data',
      framesInto((frame) => {
        if (armed && armed.done < armed.times && armed.command(commandOf(frame))) {
          armed.done += 1;
          if (armed.when === 'before') return destroy(pair);
          isDoomed = true;
        }
        if (swallowing?.command(commandOf(frame))) {
          swallowing.done += 1;
          return;
        }
        const answer = answering(commandOf(frame));
        if (answer) return client.write(message(OP_MSG, frame.readInt32LE(4), answer));
        pass(pair.server, frame);
      }),
    );
    pair.server.on('data', (bytes: Buffer) => (isDoomed ? destroy(pair) : pass(client, bytes)));
  }

  function pass(to: Socket, bytes: Buffer): void {
    if (fault === 'hang') return;
    if (fault === 'none') to.write(bytes);
    // Half of the delay in each direction.
    else setTimeout(() => to.destroyed || to.write(bytes), fault.delayMs / 2);
  }

  function destroy(pair: Pair): void {
    pairs.delete(pair);
    pair.client.destroy();
    pair.server.destroy();
  }

  function cut(): void {
    for (const pair of pairs) destroy(pair);
  }

  async function accept(): Promise<void> {
    const started = createServer(serve);
    await new Promise<void>((listening, failed) => {
      started.once('error', failed);
      started.listen(port, '127.0.0.1', listening);
    });
    port = (started.address() as { port: number }).port;
    listener = started;
  }

  async function refuse(): Promise<void> {
    const closed = new Promise((done) => (listener ? listener.close(done) : done(undefined)));
    listener = null;
    cut();
    await closed;
  }

  await accept();
  return {
    uri: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    cut,
    cutNext({ command, when, times = 1 }) {
      const mine: Armed = { command, when, times, done: 0 };
      armed = mine;
      return () => mine.done;
    },
    set(given) {
      fault = given;
    },
    answer(given) {
      answering = given;
    },
    swallow(command) {
      const mine = { command, done: 0 };
      swallowing = mine;
      return () => mine.done;
    },
    refuse,
    accept,
    close: refuse,
  };
}

/** Cuts a stream into messages of the wire protocol, each of which begins with its length. */
export function framesInto(take: (frame: Buffer) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      take(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}

export const OP_MSG = 2013;
/** Header, flags and the kind of the first section, which the driver makes the command's document. */
const BODY_AT = 21;

/** The name of the command in a message; empty for anything but OP_MSG. */
function commandOf(frame: Buffer): string {
  if (frame.readInt32LE(12) !== OP_MSG || frame[BODY_AT - 1] !== 0) return '';
  const body = frame.subarray(BODY_AT, BODY_AT + frame.readInt32LE(BODY_AT));
  return Object.keys(BSON.deserialize(body))[0] ?? '';
}

/** A message with one document, as a server sends it. */
export function message(opcode: number, responseTo: number, document: Document): Buffer {
  // Before the document come flags and the kind of section, or flags, cursor, position and number of documents.
  const fields = Buffer.alloc(opcode === OP_MSG ? 5 : 20);
  if (opcode !== OP_MSG) fields.writeInt32LE(1, 16);
  const body = Buffer.concat([fields, BSON.serialize(document)]);
  const header = Buffer.alloc(16);
  header.writeInt32LE(16 + body.length, 0);
  header.writeInt32LE(responseTo, 8);
  header.writeInt32LE(opcode, 12);
  return Buffer.concat([header, body]);
}
