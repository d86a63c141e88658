import http from 'node:http';
import https from 'node:https';
import { AddressError, checkedUrl, type GuardOptions, guardedLookup } from './address-guard.ts';
import type { Answer } from './outcome.ts';

export interface Call {
  url: string;
  method: 'POST' | 'GET';
  headers: { readonly [name: string]: string };
  body: string;
  /** Texts in ASCII that are told to nobody: what is kept of an answer shows none of them. */
  hidden?: readonly string[] | undefined;
  /** Ends the call before its time. */
  signal?: AbortSignal | undefined;
}

/** Makes one call and says what came of it; never throws. */
export type Send = (call: Call) => Promise<Answer>;

export interface SenderOptions extends GuardOptions {
  /** What a call may take, from the look-up to the last byte of the answer. @default 15_000 */
  timeoutMs?: number;
}

export interface Sender {
  send: Send;
  close(): void;
}

const TIMEOUT_MS = 15_000;
/** Connections that stay open for a moment, by host: many endpoints may share one. */
const MAX_FREE = 64;
/** An answer is read up to here, so that its connection can be used again, and not further. */
const MAX_ANSWER = 65_536;
/** So much of it is kept. */
const KEPT = 1_024;

/**
 * Calls receivers, over connections that stay open for a moment. A connection is opened to addresses that were checked
 * when it was opened, so it leads to where it led, whatever the name says later.
 */
export function createSender({ timeoutMs = TIMEOUT_MS, ...guard }: SenderOptions): Sender {
  const options = { keepAlive: true, timeout: timeoutMs, maxFreeSockets: MAX_FREE };
  const lookup = guardedLookup(guard);
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };

  async function send(call: Call): Promise<Answer> {
    const ended = new AbortController();
    const { signal } = ended;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      ended.abort();
    }, timeoutMs);
    const end = () => ended.abort();
    call.signal?.addEventListener('abort', end, { once: true });
    if (call.signal?.aborted) end();
    try {
      const url = checkedUrl(call.url, guard);
      try {
        return await request(url, { ...call, signal });
      } catch (error) {
        // The receiver closed the connection just when it was used again: it has seen nothing.
        if (!(error instanceof StaleConnection)) throw error;
        return await request(url, { ...call, signal }, true);
      }
    } catch (error) {
      return {
        status: null,
        error: isLate ? late(timeoutMs) : wordsOf(error),
        retryAfter: null,
        response: null,
      };
    } finally {
      clearTimeout(timer);
      // It may live as long as the process.
      call.signal?.removeEventListener('abort', end);
    }
  }

  function request(
    url: URL,
    { method, headers, body, hidden, signal }: Call & { signal: AbortSignal },
    fresh = false,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      // Whatever else does not come: the call ends with its time.
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      const { protocol } = url;
      const by = protocol === 'https:' ? https : http;
      const outgoing = by.request(url, {
        method,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: fresh ? false : agents[protocol as 'http:' | 'https:'],
        lookup,
        signal,
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = outgoing.reusedSocket && !fresh && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        reject(isStale ? new StaleConnection() : error);
      });
      outgoing.once('response', (incoming) => {
        readAnswer(incoming, hidden).then(resolve, reject);
      });
      // A receiver that wants to speak something else than HTTP has answered, too: with a 101.
      outgoing.once('upgrade', ({ statusCode, headers: told }, socket) => {
        socket.destroy();
        resolve({ status: statusCode!, error: null, retryAfter: told['retry-after'] ?? null, response: null });
      });
      outgoing.end(body);
    });
  }

  return {
    send,
    close() {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
}

class StaleConnection extends Error {}

/** The status and how the body begins; one that is too long is cut off, not waited for. */
function readAnswer(incoming: http.IncomingMessage, hidden: readonly string[] = []): Promise<Answer> {
  const { statusCode, headers } = incoming;
  // What begins in the part that is kept is seen to its end.
  const looked = KEPT + Math.max(0, ...hidden.map((text) => text.length));
  const kept: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const finish = () => {
      const response = blanked(Buffer.concat(kept), hidden).subarray(0, KEPT).toString('utf8');
      const retryAfter = headers['retry-after'] ?? null;
      resolve({ status: statusCode!, error: null, retryAfter, response: response === '' ? null : response });
    };
    incoming.on('data', (chunk: Buffer) => {
      if (length < looked) kept.push(chunk.subarray(0, looked - length));
      length += chunk.length;
      if (length <= MAX_ANSWER) return;
      finish();
      incoming.destroy();
    });
    incoming.once('end', finish);
    incoming.once('error', reject);
  });
}

/** Each byte of a hidden text becomes a star: nothing moves, so that nothing comes into view. */
function blanked(bytes: Buffer, hidden: readonly string[]): Buffer {
  let text = bytes.toString('latin1');
  for (const one of hidden) text = text.replaceAll(one, '*'.repeat(one.length));
  return Buffer.from(text, 'latin1');
}

const late = (timeoutMs: number): string => `no whole answer within ${timeoutMs / 1_000} seconds`;

/** What to tell of a failure: its kind, and no address, which may be one of this machine's own network. */
function wordsOf(error: unknown): string {
  if (error instanceof AddressError) return error.message;
  if (error instanceof AggregateError) return wordsOf(error.errors[0]);
  const { code, name } = error as NodeJS.ErrnoException;
  return WORDS[code ?? ''] ?? `the connection failed: ${code ?? name}`;
}

const WORDS: { readonly [code: string]: string } = {
  ENOTFOUND: 'the host was not found',
  EAI_AGAIN: 'the host could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  ETIMEDOUT: 'the connection took too long',
};
