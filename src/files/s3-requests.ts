import { AwsClient } from 'aws4fetch';
import type { Config } from '../config.ts';
import { fetchInTime, type TimedResponse } from './fetch-in-time.ts';
import { type Credentials, findCredentials } from './s3-credentials.ts';

/** Attempts at a request that the bucket refuses with 429 or 5xx, or whose connection breaks. */
const ATTEMPTS = 3;
const FIRST_DELAY_MS = 100;
/** Credentials are replaced this long before they expire. */
const RENEW_BEFORE_MS = 300_000;

export interface S3Request {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Query string without the question mark. */
  query?: string;
  headers?: Record<string, string>;
  body?: Buffer;
  /** Whether a status that is no success is an answer all the same. */
  accept?: (status: number, body: string) => boolean;
}

export interface S3Requests {
  /**
   * Sends a signed request about one object. @throws an error for a status that is no success, after repeating what may
   * pass, and when the bucket does not answer within `BUCKET_TIMEOUT_MS`
   */
  send(key: string, request: S3Request): Promise<TimedResponse>;
}

/** Sends signed requests to the configured bucket. */
export function createS3Requests(config: Config): S3Requests {
  const base = addressOf(config);
  const credentialsOf = cacheCredentials(() => findCredentials(config));

  const sign = async (url: string, { method, headers }: S3Request): Promise<Request> => {
    const client = new AwsClient({ ...(await credentialsOf()), service: 's3', region: config.BUCKET_REGION });
    return client.sign(url, { method, ...(headers && { headers }) });
  };

  const attempt = async (key: string, request: S3Request): Promise<TimedResponse> => {
    const { query, body, method, accept } = request;
    const url = `${base}/${encodeURIComponent(key)}${query ? `?${query}` : ''}`;
    const { headers } = await sign(url, request);
    const init = { method, headers, ...(body && { body: new Uint8Array(body) }) };
    const response = await fetchInTime(url, init, config.BUCKET_TIMEOUT_MS);
    if (response.status >= 200 && response.status < 300) return response;
    const text = await response.text();
    if (accept?.(response.status, text)) return response;
    throw new RefusedError(response.status, text);
  };

  return {
    async send(key, request) {
      for (let failures = 1; ; failures += 1) {
        try {
          return await attempt(key, request);
        } catch (error) {
          if (failures === ATTEMPTS || !mayPass(error)) throw error;
          await new Promise((resolve) => setTimeout(resolve, FIRST_DELAY_MS * 2 ** failures * Math.random()));
        }
      }
    },
  };
}

/** Reuses credentials until shortly before they expire; a failed search is repeated by the next request. */
function cacheCredentials(find: () => Promise<Credentials>): () => Promise<Credentials> {
  let found: Promise<Credentials> | null = null;
  let renewAt = Number.POSITIVE_INFINITY;
  return () => {
    if (found && Date.now() < renewAt) return found;
    renewAt = Number.POSITIVE_INFINITY;
    const search = find();
    found = search;
    search.then(
      ({ expiresAt }) => {
        if (expiresAt !== undefined) renewAt = expiresAt - RENEW_BEFORE_MS;
      },
      () => {
        if (found === search) found = null;
      },
    );
    return search;
  };
}

class RefusedError extends Error {
  readonly status: number;

  constructor(status: number, body: string) {
    super(`The bucket answered ${status}: ${body.slice(0, 500)}`);
    this.status = status;
  }
}

function mayPass(error: unknown): boolean {
  if (error instanceof RefusedError) return error.status >= 500 || error.status === 429;
  // What fetch throws when the connection breaks. A request that ran into the time-out is not repeated: its client waits.
  return error instanceof TypeError;
}

function addressOf({ BUCKET_ENDPOINT, BUCKET_NAME, BUCKET_REGION }: Config): string {
  if (BUCKET_ENDPOINT) return `${BUCKET_ENDPOINT.replace(/\/$/, '')}/${BUCKET_NAME}`;
  const host = `s3.${BUCKET_REGION}.amazonaws.com${BUCKET_REGION.startsWith('cn-') ? '.cn' : ''}`;
  // A certificate for `*.s3…` does not cover names with dots.
  return BUCKET_NAME?.includes('.') ? `https://${host}/${BUCKET_NAME}` : `https://${BUCKET_NAME}.${host}`;
}
