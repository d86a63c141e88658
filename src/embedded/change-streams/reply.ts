import { BSON, Long } from 'bson';
import { documentOf } from '../lib/index.ts';
import type { Batch } from './stream.ts';

export interface StreamReply {
  field: 'firstBatch' | 'nextBatch';
  batch: Batch;
  id: bigint;
  ns: string;
}

const DOCUMENT = 3;
const ARRAY = 4;

/**
 * Encodes `{cursor: {<field>: events, postBatchResumeToken, invalidated?, id, ns}, ok: 1}`. Even an empty batch
 * contains the position up to which the stream has read, from which a client can resume.
 */
export function streamReply({ field, batch, id, ns }: StreamReply): Buffer {
  const events = batch.events.map((event, i) => nested(DOCUMENT, String(i), event));
  const rest = BSON.serialize({
    postBatchResumeToken: { _data: batch.token },
    ...(batch.isInvalidated && { invalidated: true }),
    id: Long.fromBigInt(id),
    ns,
  });
  const cursor = documentOf([nested(ARRAY, field, documentOf(events)), rest.subarray(4, -1)]);
  const end = BSON.serialize({ ok: 1.0 });
  return documentOf([nested(DOCUMENT, 'cursor', cursor), end.subarray(4, -1)]);
}

function nested(type: number, name: string, content: Buffer): Buffer {
  const begin = Buffer.from(`\0${name}\0`);
  begin[0] = type;
  return Buffer.concat([begin, content]);
}
