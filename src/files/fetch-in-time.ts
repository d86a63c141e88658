import { Readable } from 'node:stream';

/** A response whose body is read within the time-out of its request. */
export interface TimedResponse {
  status: number;
  headers: Headers;
  /** The whole body. @throws {TimeoutError} when it does not arrive in time */
  text(): Promise<string>;
  /**
   * The body as a stream, which fails when the connection breaks, or when the next bytes do not arrive in time.
   * @param explain returns the error with which the stream fails
   */
  readable(explain: (error: unknown) => Error): Readable;
}

export class TimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(`No answer within ${timeoutMs} ms.`);
    this.name = 'TimeoutError';
  }
}

/**
 * Sends a request, and waits for at most `timeoutMs` until the response begins. Time in which the reader of the body does not
 * ask for more bytes does not count.
 *
 * @throws {TimeoutError}
 */
export async function fetchInTime(url: string, init: RequestInit, timeoutMs: number): Promise<TimedResponse> {
  const late = new AbortController();
  const inTime = async <Value>(step: Promise<Value>): Promise<Value> => {
    const timer = setTimeout(() => late.abort(new TimeoutError(timeoutMs)), timeoutMs);
    try {
      return await step;
    } finally {
      clearTimeout(timer);
    }
  };
  const response = await inTime(fetch(url, { ...init, signal: late.signal }));
  return {
    status: response.status,
    headers: response.headers,
    text: () => inTime(response.text()),
    readable(explain) {
      const reader = response.body?.getReader();
      return new Readable({
        read() {
          if (!reader) return void this.push(null);
          inTime(reader.read()).then(
            ({ value }) => this.push(value ?? null),
            (error: unknown) => this.destroy(explain(error)),
          );
        },
        destroy(error, done) {
          // Ends the connection of a body that was not read to its end.
          reader?.cancel().catch(() => undefined);
          done(error);
        },
      });
    },
  };
}
