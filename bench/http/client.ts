import { connect, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';
/** The end of a chunked body. */
const LAST_CHUNK = '\r\n0\r\n\r\n';
/** The body of one response in so many is checked. */
const CHECKED = 16;
/** Members of responses that report an error with the status 200. */
const ERROR = /"errors":|"code":/;

/** One connection that sends the next request when the previous response is complete. */
export interface HttpClient {
  send(request: string): void;
  /** Whether a response is outstanding. */
  isBusy(): boolean;
  close(): void;
}

interface Listener {
  onResponse(milliseconds: number): void;
  onFailure(why: string): void;
}

/**
 * A client that does as little as possible, so that the server gets the processor: it reads the status, finds the end of
 * the response, and checks the body of one response in {@link CHECKED}.
 */
export function openHttpClient(url: URL, { onResponse, onFailure }: Listener): Promise<HttpClient> {
  const socket: Socket = connect(Number(url.port), url.hostname).setNoDelay(true);
  let startedAt = 0;
  let isOutstanding = false;
  let count = 0;
  /** Bytes of the response, until its head is complete. */
  let head: Buffer | null = null;
  /** Missing bytes of the body; null for a chunked one. */
  let missing: number | null = 0;
  let tail = '';
  let kept: Buffer[] | null = null;

  function end(): void {
    isOutstanding = false;
    const body = kept ? String(Buffer.concat(kept)) : '';
    if (ERROR.test(body)) onFailure(body.slice(0, 300));
    else onResponse(performance.now() - startedAt);
  }

  function takeHead(chunk: Buffer): Buffer | null {
    const all = head ? Buffer.concat([head, chunk]) : chunk;
    const at = all.indexOf(HEAD_END);
    if (at < 0) {
      head = all;
      return null;
    }
    head = null;
    const text = all.toString('latin1', 0, at);
    const status = text.slice(9, 12);
    if (status !== '200') onFailure(`${status} ${all.toString('utf8', at, at + 300)}`);
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
    missing = length === undefined ? null : Number(length);
    tail = '\r\n';
    return all.subarray(at + HEAD_END.length);
  }

  let isHead = true;
  function take(chunk: Buffer): void {
    const body = isHead ? takeHead(chunk) : chunk;
    if (body === null) return;
    isHead = false;
    kept?.push(body);
    if (missing === null) {
      tail = (tail + body.toString('latin1', Math.max(0, body.length - LAST_CHUNK.length))).slice(-LAST_CHUNK.length);
      if (tail === LAST_CHUNK) end();
    } else {
      missing -= body.length;
      if (missing <= 0) end();
    }
  }

  return new Promise((resolve, reject) => {
    socket.once('error', (error) => {
      reject(error);
      onFailure(error.message);
    });
    socket.once('close', () => isOutstanding && onFailure('The server closed a connection.'));
    socket.on('data', take);
    socket.once('connect', () =>
      resolve({
        send(request) {
          isHead = true;
          isOutstanding = true;
          kept = count++ % CHECKED === 0 ? [] : null;
          startedAt = performance.now();
          socket.write(request);
        },
        isBusy: () => isOutstanding,
        close: () => socket.destroy(),
      }),
    );
  });
}
