import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Turns of the event loop in a row with a new connection, after which further ones are expected to wait in the system. */
const BURST_TURNS = 16;
/**
 * Maximum time of a burst. When the event loop has much other work, a connection may arrive in every turn without an end;
 * holding connections back then delays them and frees no time.
 */
const MAX_BURST_MS = 3_000;
/** In a burst, the requests of one connection begin to be read each time this many turns have passed. */
const TURNS_PER_ADMISSION = 8;
/** After a burst, the requests of this many connections begin to be read in one turn. */
const ADMITTED_PER_TURN = 32;

type Listener = (this: Server, socket: Socket) => void;

/** The socket is destroyed after an error. */
const ignoreError = () => undefined;

/**
 * In a burst of new connections, accepts them all before it reads their requests. Node accepts one connection in each turn
 * of the event loop. When thousands of clients connect in a second, as after a restart, reading the requests of those that
 * are accepted makes the turns so long that the system's queue of connections overflows. The system then drops
 * connections, and clients repeat them after 1, 3, 7 and 15 seconds.
 *
 * Call it before other listeners are added.
 */
export function acceptBursts(server: Server): void {
  const readRequests = server.listeners('connection') as Listener[];
  const waiting: Socket[] = [];
  let turnsInARow = 0;
  /** When these turns began. */
  let since = 0;
  let hasArrived = false;
  let isScheduled = false;

  const isBurst = () => turnsInARow >= BURST_TURNS && performance.now() - since < MAX_BURST_MS;

  function admit(socket: Socket | undefined): void {
    if (!socket || socket.destroyed) return;
    socket.off('error', ignoreError);
    for (const read of readRequests) read.call(server, socket);
    socket.resume();
  }

  function endTurn(): void {
    isScheduled = false;
    turnsInARow = hasArrived ? turnsInARow + 1 : 0;
    if (turnsInARow === 1) since = performance.now();
    hasArrived = false;
    if (!isBurst()) for (const socket of waiting.splice(0, ADMITTED_PER_TURN)) admit(socket);
    else if (turnsInARow % TURNS_PER_ADMISSION === 0) admit(waiting.shift());
    if (waiting.length > 0 || turnsInARow > 0) schedule();
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(endTurn);
  }

  // An option of `net.createServer` that `http.createServer` does not pass on: nothing is read before `resume`.
  Object.assign(server, { pauseOnConnect: true });
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    hasArrived = true;
    if (waiting.length === 0 && !isBurst()) admit(socket);
    else {
      // Until the parser has the socket, nobody else handles its errors: a client may leave while a refusal is written.
      socket.on('error', ignoreError);
      waiting.push(socket);
    }
    schedule();
  });
}
