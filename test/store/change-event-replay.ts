import { BSON, type Document } from 'bson';

/** A collection rebuilt from its change events, by `_id`. */
export type Replayed = Map<unknown, Document>;

/** Applies an event to the replica without changing the documents of the event. */
export function replay(collection: Replayed, event: Document): void {
  const id = event.documentKey?._id;
  switch (event.operationType) {
    case 'insert':
    case 'replace':
      collection.set(id, event.fullDocument);
      break;
    case 'update':
      collection.set(id, changed(collection.get(id)!, event.updateDescription));
      break;
    case 'delete':
      collection.delete(id);
      break;
    case 'drop':
      collection.clear();
      break;
    default:
      throw new Error(`no such event: ${event.operationType}`);
  }
}

function changed(document: Document, { updatedFields, removedFields, truncatedArrays }: Document): Document {
  const copy = BSON.deserialize(BSON.serialize(document));
  for (const { field, newSize } of truncatedArrays) parentOf(copy, `${field}.0`).parent.length = newSize;
  for (const path of removedFields) {
    const { parent, name } = parentOf(copy, path);
    delete parent[name];
  }
  for (const [path, value] of Object.entries(updatedFields)) {
    const { parent, name } = parentOf(copy, path);
    while (Array.isArray(parent) && parent.length < Number(name)) parent.push(null);
    Object.assign(parent, { [name]: value });
  }
  return copy;
}

/** The last step of a path: a field of a document, or an index of an array. */
function parentOf(document: Document, path: string): { parent: Document; name: string } {
  const parts = path.split('.');
  const name = parts.pop()!;
  return { parent: parts.reduce((value, part) => value[part], document), name };
}
