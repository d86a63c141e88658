import type { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import type { FileStorage } from './file-storage.ts';
import { bucketError } from './storage-error.ts';

type Settings = Pick<Config, 'BUCKET_NAME' | 'BUCKET_ENDPOINT' | 'BUCKET_REGION' | 'BUCKET_KEY_ID' | 'BUCKET_SECRET'>;

/**
 * Stores each file under its id in a bucket of Amazon S3, or of any service that speaks its protocol at
 * `BUCKET_ENDPOINT`. Without configured keys, the AWS SDK finds the credentials of the machine. The SDK is imported only
 * when a bucket is configured, because loading it takes time and memory.
 */
export async function createS3Storage(config: Settings): Promise<FileStorage> {
  const [{ DeleteObjectCommand, GetObjectCommand, NoSuchKey, S3Client }, { Upload }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/lib-storage'),
  ]);
  const { BUCKET_ENDPOINT: endpoint, BUCKET_KEY_ID: accessKeyId, BUCKET_SECRET: secretAccessKey } = config;
  const client = new S3Client({
    region: config.BUCKET_REGION,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
  });
  const Bucket = config.BUCKET_NAME;
  return {
    async put(Key, bytes) {
      const upload = new Upload({ client, params: { Bucket, Key, Body: bytes } });
      const stop = () => void upload.abort();
      bytes.once('error', stop);
      try {
        await upload.done();
      } catch (error) {
        throw bytes.errored ?? bucketError(error);
      } finally {
        bytes.off('error', stop);
      }
    },
    async get(Key, range) {
      try {
        const { Body, ContentLength } = await client.send(
          new GetObjectCommand({ Bucket, Key, ...(range && { Range: `bytes=${range.start}-${range.end}` }) }),
        );
        return { bytes: Body as Readable, size: ContentLength ?? 0 };
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw bucketError(error);
      }
    },
    async remove(Key) {
      try {
        await client.send(new DeleteObjectCommand({ Bucket, Key }));
      } catch (error) {
        throw bucketError(error);
      }
    },
  };
}
