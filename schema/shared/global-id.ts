import { OperationError } from '../../src/errors.ts';

/** A Relay id, opaque to clients: encodes the type and the record's public id (for memberships, the internal id). */
export function encodeGlobalId(typename: string, id: string | number | bigint): string {
  return Buffer.from(`${typename}:${id}`, 'utf8').toString('base64url');
}

/** @throws {OperationError} BAD_REQUEST for a malformed id */
export function decodeGlobalId(globalId: string): { typename: string; id: string } {
  const text = Buffer.from(globalId, 'base64url').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1)
    throw new OperationError('BAD_REQUEST', {
      message:
        'This is not a global id: use the value of the field `id`. For a public id, use the query of its type, such as `post(postId:)`.',
    });
  return { typename: text.slice(0, colon), id: text.slice(colon + 1) };
}
