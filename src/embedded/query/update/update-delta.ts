import { type Document, Int32 } from 'bson';
import { setField } from '../../lib/index.ts';

/** The difference between two documents, in the parts and the order of MongoDB's change events. */
export interface DocumentDelta {
  kind: 'document';
  removed: string[];
  updated: [name: string, value: unknown][];
  inserted: [name: string, value: unknown][];
  inner: [name: string, delta: Delta][];
}

export interface ArrayDelta {
  kind: 'array';
  /** Set if the array became shorter. */
  newSize: number | undefined;
  /** By ascending index. */
  items: [index: number, change: { value: unknown } | Delta][];
}

export type Delta = DocumentDelta | ArrayDelta;

export const newDocumentDelta = (): DocumentDelta => ({
  kind: 'document',
  removed: [],
  updated: [],
  inserted: [],
  inner: [],
});

export const newArrayDelta = (): ArrayDelta => ({ kind: 'array', newSize: undefined, items: [] });

/** The `updateDescription` of a change event: dotted paths with their new values, removed paths, shortened arrays. */
export function describeDelta(delta: DocumentDelta): Document {
  const description: Description = { updatedFields: {}, removedFields: [], truncatedArrays: [] };
  addDocument(delta, '', description);
  return { ...description };
}

interface Description {
  updatedFields: Document;
  removedFields: string[];
  truncatedArrays: Document[];
}

function addDocument({ removed, updated, inserted, inner }: DocumentDelta, prefix: string, to: Description): void {
  for (const name of removed) to.removedFields.push(prefix + name);
  for (const [name, value] of [...updated, ...inserted]) setField(to.updatedFields, prefix + name, value);
  for (const [name, delta] of inner) addDelta(delta, prefix + name, to);
}

function addDelta(delta: Delta, path: string, to: Description): void {
  if (delta.kind === 'document') {
    addDocument(delta, `${path}.`, to);
    return;
  }
  if (delta.newSize !== undefined) to.truncatedArrays.push({ field: path, newSize: new Int32(delta.newSize) });
  for (const [index, change] of delta.items) {
    if ('value' in change) setField(to.updatedFields, `${path}.${index}`, change.value);
    else addDelta(change, `${path}.${index}`, to);
  }
}
