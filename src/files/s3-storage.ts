import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import type { FileStorage } from './file-storage.ts';
import { createS3Requests, type S3Requests } from './s3-requests.ts';
import { unavailableError } from './storage-error.ts';

/** Size of the parts of a large upload, which are in memory one at a time. The protocol takes 5 MiB to 5 GiB, and 10,000 parts. */
const PART_BYTES = 8 * 1_048_576;

/**
 * Stores each file under its id in a bucket of Amazon S3, or of any service that speaks its protocol at
 * `BUCKET_ENDPOINT`. Without configured keys, it finds the credentials of the machine.
 */
export function createS3Storage(config: Config): FileStorage {
  const { send } = createS3Requests(config);
  return {
    async put(key, bytes) {
      try {
        await upload(send, key, bytes);
      } catch (error) {
        throw bytes.errored ?? unavailableError(error);
      }
    },
    async get(key, range) {
      try {
        const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {};
        const response = await send(key, { method: 'GET', headers, accept: isMissingKey });
        if (response.status === 404) return null;
        const size = Number(response.headers.get('content-length') ?? 0);
        return { bytes: response.readable(unavailableError), size };
      } catch (error) {
        throw unavailableError(error);
      }
    },
    async remove(key) {
      try {
        const response = await send(key, { method: 'DELETE', accept: isMissingKey });
        if (response.status !== 404) await response.text();
      } catch (error) {
        throw unavailableError(error);
      }
    },
  };
}

/** A file that does not exist, as opposed to a bucket that does not. */
const isMissingKey = (status: number, body: string) => status === 404 && body.includes('<Code>NoSuchKey</Code>');

async function upload(send: S3Requests['send'], key: string, bytes: Readable): Promise<void> {
  const parts = partsOf(bytes);
  const first = await parts.next();
  const body = first.done ? Buffer.alloc(0) : first.value;
  if (body.length < PART_BYTES) {
    await put(send, key, body);
    return;
  }
  const created = await (await send(key, { method: 'POST', query: 'uploads=' })).text();
  const uploadId = /<UploadId>([^<]+)<\/UploadId>/.exec(created)?.[1];
  if (!uploadId) throw new Error('The bucket returned no id for a multipart upload.');
  const query = `uploadId=${encodeURIComponent(uploadId)}`;
  try {
    const tags = [await put(send, key, body, `partNumber=1&${query}`)];
    for await (const part of parts) tags.push(await put(send, key, part, `partNumber=${tags.length + 1}&${query}`));
    const list = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag}</ETag></Part>`).join('');
    const completion = `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`;
    const completed = await (await send(key, { method: 'POST', query, body: Buffer.from(completion) })).text();
    // The status is sent before the outcome is known.
    if (completed.includes('<Error>')) throw new Error(`The bucket could not join the parts: ${completed}`);
  } catch (error) {
    await send(key, { method: 'DELETE', query }).catch(() => undefined);
    throw error;
  }
}

/** @returns the entity tag of the stored bytes */
async function put(send: S3Requests['send'], key: string, body: Buffer, query?: string): Promise<string> {
  // Signed, so that the bucket rejects bytes that changed on the way.
  const headers = { 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') };
  const response = await send(key, { method: 'PUT', headers, body, ...(query && { query }) });
  await response.text();
  return response.headers.get('etag') ?? '';
}

/** Splits a stream into parts of `PART_BYTES`; the last may be shorter. */
async function* partsOf(bytes: Readable): AsyncGenerator<Buffer, void, void> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    let rest = chunk as Buffer;
    while (length + rest.length >= PART_BYTES) {
      const end = PART_BYTES - length;
      yield Buffer.concat([...chunks, rest.subarray(0, end)]);
      rest = rest.subarray(end);
      chunks = [];
      length = 0;
    }
    chunks.push(rest);
    length += rest.length;
  }
  if (length > 0) yield Buffer.concat(chunks);
}
