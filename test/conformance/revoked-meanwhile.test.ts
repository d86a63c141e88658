import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { mutations, successfulMutations } from '../support/mutate.ts';
import { whileLocked } from '../support/while-locked.ts';

let gateway: TestGateway;
let keyId: string;
let endpointId: string;
const mutate = mutations(() => gateway);
const succeed = successfulMutations(() => gateway);

beforeAll(async () => {
  gateway = await openTestNetwork();
  keyId = (await succeed('admin', 'createKey', { kind: 'API', name: 'Web' }, 'key { keyId }')).key.keyId;
  const endpoint = { url: 'https://1.1.1.1/hook', events: ['v3.post.didCreate'] };
  const created = await succeed('admin', 'createWebhookEndpoint', endpoint, 'endpoint { endpointId }');
  endpointId = created.endpoint.endpointId;
});
afterAll(() => gateway.close());

const ROLE = { userId: 'kim', roleIds: ['global-admin'] };
const SETTINGS = 'network settings';
const KEYS = 'network keys';
const period = { from: '2026-01-01T00:00:00.000Z', until: '2100-01-01T00:00:00.000Z' };

interface Privileged {
  operation: string;
  /** Kind and name of the record for which the operation waits. @default record */
  kind?: string;
  lock: () => string;
  input: () => object;
}

const onEndpoint = (operation: string, more: object = {}): Privileged => ({
  operation,
  lock: () => `webhook ${endpointId}`,
  input: () => ({ endpointId, ...more }),
});

const PRIVILEGED: Privileged[] = [
  { operation: 'updateNetworkSettings', lock: () => SETTINGS, input: () => ({ chat: { enabled: false } }) },
  { operation: 'updateSocialSettings', lock: () => SETTINGS, input: () => ({ userPrivacySetting: 'PRIVATE' }) },
  { operation: 'updateDeepLinks', lock: () => SETTINGS, input: () => ({ domain: 'late.example', patterns: {} }) },
  { operation: 'switchWebhooks', lock: () => SETTINGS, input: () => ({ enabled: false }) },
  { operation: 'updateContentRules', lock: () => 'content rules', input: () => ({ blockedWords: ['late'] }) },
  { operation: 'createKey', lock: () => KEYS, input: () => ({ kind: 'SERVER', name: 'Late' }) },
  { operation: 'renameKey', lock: () => KEYS, input: () => ({ keyId, name: 'Late' }) },
  { operation: 'rotateKey', lock: () => KEYS, input: () => ({ keyId }) },
  { operation: 'retireKey', lock: () => KEYS, input: () => ({ keyId }) },
  {
    operation: 'createWebhookEndpoint',
    lock: () => 'webhook endpoints',
    input: () => ({ url: 'https://1.1.1.1/late', events: ['v3.post.didCreate'] }),
  },
  {
    operation: 'updateUser',
    kind: 'user',
    lock: () => 'leo',
    input: () => ({ userId: 'leo', displayName: 'Late' }),
  },
  onEndpoint('updateWebhookEndpoint', { url: 'https://1.1.1.1/late' }),
  onEndpoint('rotateWebhookSecret'),
  onEndpoint('sendTestPing'),
  onEndpoint('replayWebhookEvents', period),
  onEndpoint('disableWebhookEndpoint'),
  onEndpoint('deleteWebhookEndpoint'),
];

test.each(PRIVILEGED)(
  'rejects $operation by a user who loses the role before it is written',
  async ({ operation, kind = 'record', lock, input }) => {
    const { store } = gateway.services;
    const { networkId } = gateway;
    await succeed('admin', 'addUserRoles', ROLE);
    await gateway.tokenOf('kim');
    const stored = async () => ({
      leo: (await store.collections.users.findOne({ networkId, userId: 'leo' }))!.displayName,
      network: await store.collections.networks.findOne({ networkId }),
      contentRules: await store.collections.contentRules.findOne({ networkId }),
      endpoints: await store.collections.webhookEndpoints.find({ networkId }).toArray(),
      deliveries: await store.collections.webhookDeliveries.find({ networkId }).toArray(),
    });
    const before = await stored();
    const [answer] = await whileLocked({
      store,
      key: `${kind} ${networkId} ${lock()}`,
      start: () => [mutate('kim', operation, input(), '__typename')],
      happens: () => succeed('admin', 'removeUserRoles', ROLE),
    });
    expect(answer).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await stored()).toEqual(before);
    expect(await store.collections.auditEntries.countDocuments({ networkId, actorId: 'kim' })).toBe(0);
  },
);
