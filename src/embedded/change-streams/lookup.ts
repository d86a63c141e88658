import type { Engine } from '../engine.ts';
import { CommandError } from '../lib/index.ts';
import { decode } from '../query/index.ts';
import { type ChangeEntry, keysOf } from '../storage/index.ts';
import type { Additions } from './event.ts';
import type { StreamOptions } from './options.ts';

type Source = Pick<Engine, 'catalog' | 'storage'>;

/**
 * Looks up the documents that a stream's options add to an event. As by default in MongoDB, no pre- and post-images are
 * kept: `whenAvailable` adds null and `required` fails.
 *
 * @throws CommandError 47 if an image is required
 */
export function lookUpAdditions(entry: ChangeEntry, options: StreamOptions, source: Source): Additions {
  const { kind } = entry;
  const { fullDocument, fullDocumentBeforeChange } = options;
  const additions: Additions = {};
  if (kind === 'update' && fullDocument !== 'default') {
    if (fullDocument === 'required') throw noImage('post-image', entry);
    additions.fullDocument = fullDocument === 'updateLookup' ? currentDocument(entry, source) : null;
  }
  if (fullDocumentBeforeChange !== 'off' && (kind === 'update' || kind === 'replace' || kind === 'delete')) {
    if (fullDocumentBeforeChange === 'required') throw noImage('pre-image', entry);
    additions.fullDocumentBeforeChange = null;
  }
  return additions;
}

const noImage = (image: string, { kind, ns }: ChangeEntry): CommandError =>
  new CommandError(47, `The change stream requires a ${image} of every ${kind}, and ${ns} stores none`);

/** The current version of an updated document; null if it no longer exists. */
function currentDocument({ ns, payload }: ChangeEntry, { catalog, storage }: Source): Buffer | null {
  const collection = catalog.get(ns);
  const index = collection?.indexes.find(({ name }) => name === '_id_');
  if (!collection || !index) return null;
  const documentKey = decode(payload.subarray(0, payload.readInt32LE(0)));
  const [key] = keysOf(index, documentKey).keys;
  const [recordId] = key ? storage.holdersOf(key.key) : [];
  return (recordId !== undefined && storage.record(collection.id, recordId)) || null;
}
