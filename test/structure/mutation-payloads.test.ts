import { type GraphQLNamedType, getNamedType, isObjectType, isUnionType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';

/** Mutations that change no record with a global id, and why a normalized cache needs none. */
const WITHOUT_NODE: { readonly [mutation: string]: string } = {
  consumeLoginLink: 'a new session: the cache is empty',
  createKey: 'a key of the network: the list of keys is short and queried as a whole',
  createSession: 'a new session: the cache is empty',
  createVisitorSession: 'a new session: the cache is empty',
  eraseUser: 'a process that runs later',
  exchangeLoginCode: 'a new session: the cache is empty',
  exportUser: 'an address for one download',
  mintAuthToken: 'a token',
  recordViews: 'counters of views, which the next read of a record shows',
  refreshSession: 'tokens',
  registerPushDevice: 'no query returns registrations',
  renameKey: 'a key of the network',
  replayWebhookEvents: 'deliveries that are created later',
  resolveModerationItem: 'names the item, which then leaves the queue',
  resolveModerationItems: 'names the items, which then leave the queue',
  retireKey: 'a key of the network',
  revokeAllSessions: 'no query returns sessions',
  revokeSession: 'the session of the request: the cache is discarded with it',
  revokeSessions: 'the list of sessions is short and queried as a whole',
  rotateKey: 'a key of the network',
  switchWebhooks: 'a setting without a query of its own',
  unregisterPushDevice: 'no query returns registrations',
  updateContentRules: 'settings, which exist once',
  updateDeepLinks: 'settings, which exist once',
  updateNetworkSettings: 'settings, which exist once',
  updateSocialSettings: 'settings, which exist once',
};

test('each mutation returns the changed records with global ids, so that a normalized cache updates itself', () => {
  const mutations = Object.values(schema.getMutationType()!.getFields());
  const without = mutations.filter(({ type }) => {
    const payload = payloadOf(getNamedType(type));
    return !Object.values(payload.getFields()).some((field) => isNode(getNamedType(field.type)));
  });
  expect(without.map(({ name }) => name)).toEqual(Object.keys(WITHOUT_NODE));
});

test('each mutation echoes clientMutationId, and those that are idempotent have an idempotencyKey', () => {
  const mutations = Object.values(schema.getMutationType()!.getFields());
  const withoutKey = mutations.flatMap(({ name, type, args }) => {
    expect(payloadOf(getNamedType(type)).getFields(), name).toHaveProperty('clientMutationId');
    return String(getNamedType(args[0]!.type)) in schema.getTypeMap() && hasKey(getNamedType(args[0]!.type))
      ? []
      : [name];
  });
  // They have no user, return a token, end the session of their key, or are too large to store a result or to compare an input.
  expect(withoutKey).toEqual([
    'consumeLoginLink',
    'createSession',
    'createVisitorSession',
    'exchangeLoginCode',
    'exportUser',
    'mintAuthToken',
    'refreshSession',
    'registerPushDevice',
    'revokeAllSessions',
    'revokeSession',
    'unregisterPushDevice',
    'uploadFiles',
  ]);
});

function payloadOf(type: GraphQLNamedType) {
  const types = isUnionType(type) ? type.getTypes() : [type];
  const payload = types.find(({ name }) => name.endsWith('Payload'));
  if (!isObjectType(payload)) throw new Error(`${type.name} has no payload.`);
  return payload;
}

function hasKey(type: GraphQLNamedType): boolean {
  return 'getFields' in type && 'idempotencyKey' in type.getFields();
}

function isNode(type: GraphQLNamedType): boolean {
  if (isUnionType(type)) return type.getTypes().every(isNode);
  return isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node');
}
