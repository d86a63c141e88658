import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';
import { freePort } from './free-port.ts';

/** What the proxy does to all traffic. `hang` keeps connections open and forwards nothing. */
export type Fault = 'none' | 'hang' | { delayMs: number };

export interface CutOptions {
  /** Names of the commands whose connections break, such as `commitTransaction`. */
  command: (name: string) => boolean;
  /** Before the server receives the command, or after it responds and before the client receives the response. */
  when: 'before' | 'after';
  /** Number of commands. @default 1 */
  times?: number;
}

/** A TCP proxy in front of a database that injects faults on demand. */
export interface FaultProxy {
  /** Connection string for the driver, with a direct connection. */
  uri: string;
  /** Breaks every open connection. */
  cut(): void;
  /** Breaks connections at the next commands of a kind. @returns a function that counts the broken ones */
  cutNext(options: CutOptions): () => number;
  set(fault: Fault): void;
  /** Answers commands in place of the database where `answer` returns a response. */
  answer(answer: (command: string) => Document | null): void;
  /** Withholds commands from the database and keeps their connections open. @returns a function that counts them */
  swallow(command: (name: string) => boolean): () => number;
  /** Breaks the open connections and refuses new ones, as if no server were listening. */
  refuse(): Promise<void>;
  /** Accepts connections again, at the same address. */
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

/** @param target address of the database, which may start later */
export async function startFaultProxy(target: NetConnectOpts): Promise<FaultProxy> {
  const pairs = new Set<Pair>();
  let fault: Fault = 'none';
  let armed: Armed | null = null;
  let answering: (command: string) => Document | null = () => null;
  let swallowing: { command: (name: string) => boolean; done: number } | null = null;
  let listener: Server | null = null;
  const port = await freePort();

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
/** Header, flags and kind of the first section, in which the driver sends the command's document. */
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
