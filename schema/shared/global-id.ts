import { OperationError } from '../../src/errors.ts';

/** A Relay id, opaque to clients: encodes the type and the record's public id (for memberships, the internal id). */
export function encodeGlobalId(typename: string, id: string | number | bigint): string {
  return Buffer.from(`${typename}:${id}`, 'utf8').toString('base64url');
}

const types = new Set<string>();

/** Accepts the global ids of a type. */
export function registerGlobalIds(typename: string): void {
  types.add(typename);
}

/** @throws {OperationError} BAD_REQUEST for a malformed id, and for one of a type that has none */
export function decodeGlobalId(globalId: string): { typename: string; id: string } {
  const text = Buffer.from(globalId, 'base64url').toString('utf8');
  const colon = text.indexOf(':');
  const typename = text.slice(0, Math.max(colon, 0));
  if (!types.has(typename) || colon === text.length - 1)
    throw new OperationError('BAD_REQUEST', {
      message:
        'This is not a global id: use the value of the field `id`. For a public id, use the query of its type, such as `post(postId:)`.',
    });
  return { typename, id: text.slice(colon + 1) };
}
