import { randomBytes } from 'node:crypto';
import { type ClientSession, ObjectId } from 'mongodb';
import { z } from 'zod';
import { canChangeNetworkSettings } from '../../access/network.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import type { NetworkKeyRecord, NetworkRecord } from '../../store/records/user.ts';
import { id, integer, text, validate } from '../input.ts';
import { hasExpired, hashKey } from '../network/keys/network-keys.ts';
import { type ChangeKeys, changeStoredKeys, storedKeys } from '../network/keys/stored-keys.ts';
import { requireNetworkRight } from '../user/roles/require-network-right.ts';

/** A key without its hash, safe for responses and logs. */
export type NetworkKey = Omit<NetworkKeyRecord, 'hash' | 'prefix' | 'lastUsedAt'> & {
  prefix: string | null;
  lastUsedAt: Date | null;
  hasExpired: boolean;
};

const name = () => text({ max: 100 });
const keyId = () => id(100).describe('Id of the key.');

export const createKeyInput = z.object({
  kind: z.enum(['api', 'server']).describe('What the key is for.'),
  name: name().describe('Name by which administrators recognize the key.'),
});

export const renameKeyInput = z.object({
  keyId: keyId(),
  name: name().describe('New name of the key.'),
});

export const rotateKeyInput = z.object({
  keyId: keyId(),
  overlapHours: integer({ min: 0, max: 8_760 })
    .nullish()
    .describe('Hours for which the replaced key is still accepted. Default: 24.'),
});

export const retireKeyInput = z.object({
  keyId: keyId(),
  at: z.date().nullish().describe('When the key is refused from; now by default, and for a time that has passed.'),
});

const DEFAULT_OVERLAP_HOURS = 24;
const HOUR_MS = 3_600_000;

/** By key of a response, so that nothing outlives the response, and no stored response (idempotency) contains it. */
const newValues = new WeakMap<NetworkKey, string>();

/** The value of a key that this operation created; null when a stored response is replayed. */
export function newValueOf(key: NetworkKey): string | null {
  return newValues.get(key) ?? null;
}

/**
 * The keys of the viewer's network, oldest first, without their values.
 * @throws {OperationError} PERMISSION_DENIED
 */
export async function listKeys(context: Context): Promise<NetworkKey[]> {
  const { networkId } = requireRight(context);
  return (await storedKeys(context, networkId)).map((key) =>
    withoutHash(withLastUse(context, networkId, key), context.now()),
  );
}

/** With the last use in this process, if it is not stored yet. */
function withLastUse({ store }: Context, networkId: string, key: NetworkKeyRecord): NetworkKeyRecord {
  const lastUsedAt = store.keyUses.lastUse(networkId, key.keyId);
  return lastUsedAt ? { ...key, lastUsedAt } : key;
}

/**
 * Adds a key, whose value only this response contains.
 * @throws {OperationError} PERMISSION_DENIED, INVALID_PARAMETERS, BAD_REQUEST beyond the maximum number of keys
 */
export async function createKey(context: Context, input: z.input<typeof createKeyInput>): Promise<NetworkKey> {
  const { userId, networkId } = requireRight(context);
  const { kind, name } = validate(createKeyInput, input);
  const created = newKey({ kind, name, createdAt: context.now(), createdBy: userId });
  await changeKeys(context, networkId, (keys) => ({ keys: [...keys, created.key], changed: created.key }));
  return withValue(withoutHash(created.key, context.now()), created);
}

/**
 * Gives a key another name. Its value and its end do not change.
 * @throws {OperationError} PERMISSION_DENIED, NOT_FOUND, INVALID_PARAMETERS
 */
export async function renameKey(context: Context, input: z.input<typeof renameKeyInput>): Promise<NetworkKey> {
  const { networkId } = requireRight(context);
  const { keyId, name } = validate(renameKeyInput, input);
  const renamed = await changeKeys(context, networkId, (keys) => {
    const before = keys.find((key) => key.keyId === keyId);
    if (!before) throw notFound('Key');
    const changed = { ...before, name };
    return { keys: keys.map((one) => (one === before ? changed : one)), changed, details: { nameBefore: before.name } };
  });
  return withoutHash(withLastUse(context, networkId, renamed), context.now());
}

/**
 * Replaces a key by a new one of the same kind and name. The replaced key is accepted until the overlap has passed, or
 * until its own end if that is earlier.
 *
 * @throws {OperationError} PERMISSION_DENIED, NOT_FOUND, INVALID_PARAMETERS, BAD_REQUEST for an expired key and beyond the
 *   maximum number of keys
 */
export async function rotateKey(context: Context, input: z.input<typeof rotateKeyInput>): Promise<NetworkKey> {
  const { userId, networkId } = requireRight(context);
  const { keyId, overlapHours } = validate(rotateKeyInput, input);
  const isReplaced = (key: NetworkKeyRecord) => key.keyId === keyId;
  const created = await replaceKey(context, { networkId, isReplaced, overlapHours, createdBy: userId });
  return withValue(withoutHash(created.key, context.now()), created);
}

/**
 * As {@link rotateKey}, for the operator of the gateway, who needs no session.
 * @param given.key the id of a key, or `api` or `server` for the configured key of the kind
 * @returns the value of the new key
 */
export async function rotateKeyAsOperator(
  context: Context,
  { networkId, key, ...input }: { networkId: string; key: string; overlapHours: number | undefined },
): Promise<string> {
  const { keyId, overlapHours } = validate(rotateKeyInput, { keyId: key, ...input });
  const isReplaced = (one: NetworkKeyRecord, { apiKeyHash, serverKeyHash }: NetworkRecord) => {
    if (keyId === 'api') return one.hash === apiKeyHash;
    return keyId === 'server' ? one.hash === serverKeyHash : one.keyId === keyId;
  };
  return (await replaceKey(context, { networkId, isReplaced, overlapHours, createdBy: null })).value;
}

interface Replacement {
  networkId: string;
  isReplaced: (key: NetworkKeyRecord, network: NetworkRecord) => boolean;
  overlapHours: number | null | undefined;
  createdBy: string | null;
}

async function replaceKey(
  context: Context,
  { networkId, isReplaced, overlapHours, createdBy }: Replacement,
): Promise<Created> {
  const now = context.now();
  const end = new Date(now.getTime() + (overlapHours ?? DEFAULT_OVERLAP_HOURS) * HOUR_MS);
  let created: Created | undefined;
  await changeKeys(context, networkId, (keys, network) => {
    const replaced = requireLive(
      keys.find((key) => isReplaced(key, network)),
      now,
    );
    const { kind, name, expiresAt } = replaced;
    created = newKey({ kind, name, createdAt: now, createdBy });
    const ending = { ...replaced, expiresAt: expiresAt !== null && expiresAt < end ? expiresAt : end };
    return { keys: [...keys.map((one) => (one === replaced ? ending : one)), created.key], changed: created.key };
  });
  return created!;
}

/**
 * Ends a key, immediately or at a time. Each kind keeps a key without an end, because a network without keys could be
 * entered by nobody.
 *
 * @throws {OperationError} PERMISSION_DENIED, NOT_FOUND, INVALID_PARAMETERS, BAD_REQUEST for an expired key and for the last
 *   key of its kind without an end
 */
export async function retireKey(context: Context, input: z.input<typeof retireKeyInput>): Promise<NetworkKey> {
  const { networkId } = requireRight(context);
  const { keyId, at } = validate(retireKeyInput, input);
  const now = context.now();
  const ended = await changeKeys(context, networkId, (keys) => {
    const retired = requireLive(
      keys.find((key) => key.keyId === keyId),
      now,
    );
    const changed = { ...retired, expiresAt: at && at > now ? at : now };
    const after = keys.map((one) => (one === retired ? changed : one));
    if (!after.some(({ kind, expiresAt }) => kind === retired.kind && expiresAt === null)) {
      throw new OperationError('BAD_REQUEST', {
        message: `This is the last ${retired.kind} key without an end: create another one first.`,
        path: ['keyId'],
      });
    }
    return { keys: after, changed };
  });
  return withoutHash(ended, now);
}

/** Checks again in the transaction the right of the viewer; the operator of the gateway has none. */
function changeKeys(context: Context, networkId: string, change: ChangeKeys): Promise<NetworkKeyRecord> {
  const authorize = async (session: ClientSession) => {
    if (context.viewer) await requireNetworkRight(context, session, canChangeNetworkSettings);
  };
  return changeStoredKeys(context, networkId, { authorize, change });
}

function requireRight(context: Context) {
  const viewer = viewerOf(context);
  if (!canChangeNetworkSettings(viewer)) throw new OperationError('PERMISSION_DENIED');
  return viewer;
}

/** @throws {OperationError} NOT_FOUND; BAD_REQUEST for an expired key, which never becomes valid again */
function requireLive(key: NetworkKeyRecord | undefined, now: Date): NetworkKeyRecord {
  if (!key) throw notFound('Key');
  if (!hasExpired(key, now)) return key;
  throw new OperationError('BAD_REQUEST', { message: 'This key is retired already.', path: ['keyId'] });
}

interface Created {
  key: NetworkKeyRecord;
  value: string;
}

/** Digits of a key by which its holders recognize it; the other 42 remain secret. */
const PREFIX_DIGITS = 6;

/** A key of 192 random bits with the name of its kind as a prefix. */
function newKey(fields: Pick<NetworkKeyRecord, 'kind' | 'name' | 'createdAt' | 'createdBy'>): Created {
  const value = `${fields.kind}_${randomBytes(24).toString('hex')}`;
  const keyId = new ObjectId().toHexString();
  const prefix = value.slice(0, fields.kind.length + 1 + PREFIX_DIGITS);
  return { value, key: { keyId, hash: hashKey(value), prefix, expiresAt: null, ...fields } };
}

function withValue(key: NetworkKey, { value }: Created): NetworkKey {
  newValues.set(key, value);
  return key;
}

function withoutHash({ hash: _, prefix, lastUsedAt, ...key }: NetworkKeyRecord, now: Date): NetworkKey {
  return { ...key, prefix: prefix ?? null, lastUsedAt: lastUsedAt ?? null, hasExpired: hasExpired(key, now) };
}
