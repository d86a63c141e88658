import {
  createKey,
  createKeyInput,
  listKeys,
  type NetworkKey,
  newValueOf,
  renameKey,
  renameKeyInput,
  retireKey,
  retireKeyInput,
  rotateKey,
  rotateKeyInput,
} from '../../src/domain/settings/change-keys.ts';
import type { SchemaTypes } from '../builder.ts';
import { builder } from '../builder.ts';
import { inputOf } from '../shared/input-fields.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { restEnum } from '../shared/rest-enum.ts';

const NetworkKeyKind = restEnum('NetworkKeyKind', 'What a key of a network is for.', {
  api: 'Names the network when a session is created: the header `X-API-Key`. It ships with client applications.',
  server: 'Mints auth tokens and assigns network roles: the header `X-Server-Key`. It stays on your own servers.',
});

const NetworkKeyType = builder.objectRef<NetworkKey>('NetworkKey').implement({
  description: 'A key of a network. Its value is returned only by the mutation that creates it.',
  fields: (t) => ({
    keyId: t.exposeString('keyId', { description: 'Id of the key.' }),
    kind: t.expose('kind', { type: NetworkKeyKind, description: 'What the key is for.' }),
    name: t.exposeString('name', {
      description: 'Name; `API_KEY` and `SERVER_KEY` for the keys of the configuration.',
    }),
    prefix: t.exposeString('prefix', {
      nullable: true,
      description:
        'The first characters of its value, by which its holders recognize it; null for keys of the configuration.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key was last accepted, up to a minute late; null if never.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time from which the key is refused; null for a key without an end.',
    }),
    hasExpired: t.exposeBoolean('hasExpired', { description: 'Whether the key is refused.' }),
    createdBy: t.exposeString('createdBy', {
      nullable: true,
      description:
        'Public id of the user who created the key; null for a key of the configuration or the command line.',
    }),
  }),
});

builder.queryField('networkKeys', (t) =>
  t.field({
    type: [NetworkKeyType],
    description: 'Keys of the network, oldest first, for users who edit and assign roles. At most 20.',
    resolve: (_, _args, context) => listKeys(context),
  }),
);

type PayloadBuilder = PothosSchemaTypes.ObjectFieldBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>,
  { key: NetworkKey }
>;

const KEY_PAYLOAD = {
  outputFields: (t: PayloadBuilder) => ({
    key: t.expose('key', { type: NetworkKeyType, description: 'The key after the change.' }),
  }),
};

const VALUE_PAYLOAD = {
  outputFields: (t: PayloadBuilder) => ({
    key: t.expose('key', { type: NetworkKeyType, description: 'The new key.' }),
    value: t.string({
      nullable: true,
      description:
        'The value of the new key. Returned only this once: null when the mutation is repeated with the same `idempotencyKey`.',
      resolve: ({ key }) => newValueOf(key),
    }),
  }),
};

mutationField(
  'createKey',
  inputOf(createKeyInput, { kind: NetworkKeyKind }),
  {
    description: 'Adds a key to the network, for users who edit and assign roles.',
    resolve: async (_, { input }, context) => ({ key: await createKey(context, input) }),
  },
  VALUE_PAYLOAD,
);

mutationField(
  'renameKey',
  inputOf(renameKeyInput),
  {
    description: 'Gives a key of the network another name, for users who edit and assign roles.',
    resolve: async (_, { input }, context) => ({ key: await renameKey(context, input) }),
  },
  KEY_PAYLOAD,
);

mutationField(
  'rotateKey',
  inputOf(rotateKeyInput),
  {
    description:
      'Replaces a key of the network by a new one of the same kind and name. The replaced key is accepted until the overlap has passed. For users who edit and assign roles.',
    resolve: async (_, { input }, context) => ({ key: await rotateKey(context, input) }),
  },
  VALUE_PAYLOAD,
);

mutationField(
  'retireKey',
  inputOf(retireKeyInput),
  {
    description:
      'Ends a key of the network, for users who edit and assign roles. The last key of a kind without an end stays.',
    resolve: async (_, { input }, context) => ({ key: await retireKey(context, input) }),
  },
  KEY_PAYLOAD,
);
