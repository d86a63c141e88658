import http from 'node:http';
import https from 'node:https';
import { countTraffic } from '../lib/traffic.ts';
import { AddressError, type AddressOptions, checkedLookup, checkedUrl } from './address-guard.ts';
import type { Answer } from './outcome.ts';

export interface Call {
  url: string;
  method: 'POST' | 'GET';
  headers: { readonly [name: string]: string };
  body: string | Buffer;
  /** Secrets in ASCII, which are removed from the stored part of an answer. */
  hidden?: readonly string[] | undefined;
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
}

/** Sends one request and returns the answer or the failure; never throws. */
export type Send = (call: Call) => Promise<Answer>;

export interface SenderOptions extends AddressOptions {
  /** Time from the lookup to the last byte of the answer. @default 15_000 */
  timeoutMs?: number;
}

export interface Sender {
  send: Send;
  close(): void;
}

const TIMEOUT_MS = 15_000;
/** Idle connections to one host, which many endpoints may share. */
const MAX_FREE = 64;
/** Maximum bytes of an answer that are read, so that its connection can be reused. */
const MAX_ANSWER = 65_536;
/** Interim responses (1xx) of an answer; RFC 9110, section 15.2, sets no bound. */
const MAX_INTERIM = 16;
/** Bytes of an answer that are stored. */
const STORED_BYTES = 1_024;

/**
 * Sends requests to receivers over keep-alive connections. The addresses of a host are checked when a connection is
 * opened, so a later change of the DNS record does not affect it.
 */
export function createSender({ timeoutMs = TIMEOUT_MS, ...addressOptions }: SenderOptions): Sender {
  const options = { keepAlive: true, timeout: timeoutMs, maxFreeSockets: MAX_FREE };
  const lookup = checkedLookup(addressOptions);
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };

  async function send(call: Call): Promise<Answer> {
    countTraffic();
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
      const url = checkedUrl(call.url, addressOptions);
      try {
        return await request(url, { ...call, signal });
      } catch (error) {
        // The receiver closed the idle connection just when it was reused, and has not read the request.
        if (!(error instanceof StaleConnection)) throw error;
        return await request(url, { ...call, signal }, true);
      }
    } catch (error) {
      return {
        status: null,
        error: isLate ? timeoutMessage(timeoutMs) : describeError(error),
        retryAfter: null,
        response: null,
      };
    } finally {
      clearTimeout(timer);
      // The signal may outlive the call.
      call.signal?.removeEventListener('abort', end);
    }
  }

  function request(
    url: URL,
    { method, headers, body, hidden, signal }: Call & { signal: AbortSignal },
    fresh = false,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      // Ends the call at its timeout, even if the connection emits nothing.
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      const { protocol } = url;
      const client = protocol === 'https:' ? https : http;
      const outgoing = client.request(url, {
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
      let interim = 0;
      outgoing.on('information', () => {
        interim += 1;
        if (interim === MAX_INTERIM + 1) outgoing.destroy(new InterimResponses());
      });
      outgoing.once('response', (incoming) => {
        readAnswer(incoming, hidden).then(resolve, reject);
      });
      // An upgrade to another protocol is an answer, too, with status 101.
      outgoing.once('upgrade', ({ statusCode, headers: received }, socket) => {
        socket.destroy();
        resolve({ status: statusCode!, error: null, retryAfter: received['retry-after'] ?? null, response: null });
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

class InterimResponses extends Error {}

/** Reads the status and the beginning of the body; disconnects when the body is too long. */
function readAnswer(incoming: http.IncomingMessage, hidden: readonly string[] = []): Promise<Answer> {
  const { statusCode, headers } = incoming;
  // Includes the whole of a secret that begins in the stored part, so that it is recognized.
  const inspected = STORED_BYTES + Math.max(0, ...hidden.map((text) => text.length));
  const kept: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const finish = () => {
      const response = redact(Buffer.concat(kept), hidden).subarray(0, STORED_BYTES).toString('utf8');
      const retryAfter = headers['retry-after'] ?? null;
      resolve({ status: statusCode!, error: null, retryAfter, response: response === '' ? null : response });
    };
    incoming.on('data', (chunk: Buffer) => {
      if (length < inspected) kept.push(chunk.subarray(0, inspected - length));
      length += chunk.length;
      if (length <= MAX_ANSWER) return;
      finish();
      incoming.destroy();
    });
    incoming.once('end', finish);
    incoming.once('error', reject);
  });
}

/** Replaces each byte of a secret with an asterisk. Lengths are unchanged, so that truncation afterwards reveals nothing. */
function redact(bytes: Buffer, hidden: readonly string[]): Buffer {
  let text = bytes.toString('latin1');
  for (const one of hidden) text = text.replaceAll(one, '*'.repeat(one.length));
  return Buffer.from(text, 'latin1');
}

const timeoutMessage = (timeoutMs: number): string => `no complete answer within ${timeoutMs / 1_000} seconds`;

/** Describes a failure without its address, which may belong to a private network. */
function describeError(error: unknown): string {
  if (error instanceof AddressError) return error.message;
  if (error instanceof InterimResponses) return 'too many interim responses';
  if (error instanceof AggregateError) return describeError(error.errors[0]);
  const { code, name } = error as NodeJS.ErrnoException;
  return DESCRIPTIONS[code ?? ''] ?? `the connection failed: ${code ?? name}`;
}

const DESCRIPTIONS: { readonly [code: string]: string } = {
  ENOTFOUND: 'the host was not found',
  EAI_AGAIN: 'the host could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  ETIMEDOUT: 'the connection timed out',
};
