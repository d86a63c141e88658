import { WebSocket } from 'ws';
import type { FleetOrder, FleetReport } from '../fleet.ts';

/**
 * Many subscribers in one process, as little as one can be: each looks for the time that the event's text carries and
 * for nothing else.
 */
const url = process.env.FLEET_URL!;
const size = Number(process.env.FLEET_SIZE);
const query = process.env.FLEET_QUERY!;
const tokens = JSON.parse(process.env.FLEET_TOKENS!) as string[];

/** Messages still missing of each event, by its number. */
let missing = new Map<string, number>();
let latencies: number[] = [];
let received = 0;

const report = (message: FleetReport) => process.send!(message);
const sockets: WebSocket[] = [];
for (let index = 0; index < size; index += 1) {
  sockets.push(await opened(index));
}
report({ type: 'ready' });

function opened(index: number): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, 'graphql-transport-ws', { perMessageDeflate: false });
    socket.once('error', reject);
    socket.once('close', (code, reason) => reject(new Error(`closed: ${code} ${reason}`)));
    socket.on('open', () => {
      const Authorization = `Bearer ${tokens[index % tokens.length]}`;
      socket.send(JSON.stringify({ type: 'connection_init', payload: { Authorization } }));
    });
    socket.on('message', (data) => {
      const text = String(data);
      if (text.includes('"next"')) return note(text);
      const { type } = JSON.parse(text) as { type: string };
      if (type === 'ping') socket.send('{"type":"pong"}');
      if (type === 'error') reject(new Error(text));
      if (type !== 'connection_ack') return;
      if (query) socket.send(JSON.stringify({ id: `${index}`, type: 'subscribe', payload: { query } }));
      resolve(socket);
    });
  });
}

/** `#<number> <milliseconds>#` in the path of the event. */
function note(text: string): void {
  const now = performance.timeOrigin + performance.now();
  const from = text.indexOf('#');
  const [number, sent] = text.slice(from + 1, text.indexOf('#', from + 1)).split(' ');
  received += 1;
  latencies.push(now - Number(sent));
  const left = (missing.get(number!) ?? size) - 1;
  if (left > 0) missing.set(number!, left);
  else {
    missing.delete(number!);
    report({ type: 'complete', number: Number(number) });
  }
}

process.on('message', (order: FleetOrder) => {
  if (order.type === 'begin') {
    latencies = [];
    received = 0;
    missing = new Map();
  } else {
    report({ type: 'figures', received, latencies });
  }
});
process.once('SIGTERM', () => process.exit(0));
