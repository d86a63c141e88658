import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { LIVE_LIMITS } from '../../src/limits/limits.ts';
import { emit } from '../support/emit.ts';
import { signIn, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { limitLive } from '../support/live-limits.ts';
import { type MqttClientOptions, type TestMqttClient, useMqttClients } from '../support/mqtt-client.ts';
import { mutations } from '../support/mutate.ts';
import { startTwoGateways } from '../support/two-gateways.ts';

limitLive({ mqttTopics: 4, mqttSessions: 3 });

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const execute = mutations(() => gateway);

const connectTo = useMqttClients();
const connect = (as: string, options?: MqttClientOptions, of = gateway) => connectTo(of, as, options);

/** Reports a change of a user, and waits until the client has received it. */
async function expectEvent(client: TestMqttClient, userId: string, of = gateway): Promise<void> {
  const user = await of.services.store.collections.users.findOne({ networkId: 'default', userId });
  const count = client.events.length;
  await emit(of, [{ type: 'user.updated', path: user!.path, data: { userId } }]);
  await client.until(count + 1);
}

async function topicOf(userId: string): Promise<string> {
  const user = await gateway.services.store.collections.users.findOne({ networkId: 'default', userId });
  return user!.path.replace('default/', '');
}
const sessionsOf = (userId: string) =>
  gateway.services.store.collections.mqttSessions.find({ networkId: 'default', userId }).toArray();

describe('a session', () => {
  test('keeps its topics while the client is disconnected, and with a renewed token', async () => {
    const clientId = 'kept';
    const first = await connect('bob', { clientId });
    expect(first.sessionPresent).toBe(false);
    expect(await first.subscribe(await topicOf('alice'))).toEqual([0]);
    await first.close();
    const again = await connect('bob', { clientId, token: await signIn(gateway, 'bob') });
    expect(again.sessionPresent).toBe(true);
    await expectEvent(again, 'alice');
  });

  test('does not keep topics that the client unsubscribed from', async () => {
    const clientId = 'unsubscribed';
    const first = await connect('heidi', { clientId });
    const [alice, carol] = [await topicOf('alice'), await topicOf('carol')];
    await first.subscribe(alice, carol);
    await first.client.unsubscribeAsync(`default/${alice}`);
    await first.close();
    const again = await connect('heidi', { clientId });
    await emit(gateway, [{ type: 'user.updated', path: `default/${alice}`, data: { userId: 'alice' } }]);
    await expectEvent(again, 'carol');
    expect(again.events.map(({ path }) => path)).toEqual([`default/${carol}`]);
  });

  test('belongs to the user and the client identifier', async () => {
    const clientId = 'guessed';
    const bob = await connect('carol', { clientId });
    await bob.subscribe(await topicOf('alice'));
    await bob.close();
    expect((await connect('kim', { clientId })).sessionPresent).toBe(false);
    expect((await connect('carol', { clientId: 'another' })).sessionPresent).toBe(false);
  });

  test('is removed by a clean session, and none is stored for it', async () => {
    const clientId = 'cleaned';
    const first = await connect('judy', { clientId });
    await first.subscribe(await topicOf('alice'));
    await first.close();
    const clean = await connect('judy', { clientId, clean: true });
    expect(clean.sessionPresent).toBe(false);
    await clean.subscribe(await topicOf('bob'));
    expect((await sessionsOf('judy')).flatMap(({ topics }) => topics)).toEqual([]);
    await clean.close();
    await vi.waitUntil(async () => (await sessionsOf('judy')).length === 0);
  });

  test('is removed when the user is banned or deleted', async () => {
    for (const [userId, operation] of [
      ['session-of-banned', 'banUser'],
      ['session-of-deleted', 'deleteUser'],
    ] as const) {
      await signIn(gateway, userId);
      const client = await connect(userId, { clientId: 'ending' });
      await client.subscribe(await topicOf('alice'));
      expect(await sessionsOf(userId)).toHaveLength(1);
      expect((await execute('admin', operation, { userId }, 'clientMutationId')).code).toBeUndefined();
      expect(await sessionsOf(userId)).toEqual([]);
    }
  });

  test('sends no event of its topics before CONNACK', async () => {
    const clientId = 'early';
    const first = await connect('grace', { clientId });
    await first.subscribe(await topicOf('alice'), `smartfeed/${first.userInternalId}/messages`);
    await first.close();
    const path = `default/${await topicOf('alice')}`;
    let isOver = false;
    const emitting = (async () => {
      while (!isOver) await emit(gateway, [{ type: 'user.updated', path, data: { userId: 'alice' } }]);
    })();
    for (let round = 0; round < 10; round += 1) {
      const commands: string[] = [];
      const client = await connect('grace', {
        clientId,
        onPacket: ({ cmd }) => void commands.push(cmd),
      });
      await client.until(1);
      expect(commands[0]).toBe('connack');
      await client.close();
    }
    isOver = true;
    await emitting;
  });

  test('continues in another gateway process', async () => {
    const two = await startTwoGateways();
    onTestFinished(() => two.close());
    const clientId = 'moved';
    const first = await connect('bob', { clientId }, two.first);
    expect(await first.subscribe(`user/${first.userInternalId}`)).toEqual([0]);
    await first.close();
    const second = await connect('bob', { clientId, url: two.urls[1] }, two.first);
    expect(second.sessionPresent).toBe(true);
    await expectEvent(second, 'bob', two.first);
  });
});

describe('a client that connects to another gateway process', () => {
  test.each([
    ['with a kept session', false],
    ['with a clean session', true],
  ])('ends its previous connection, %s', async (_, clean) => {
    const two = await startTwoGateways();
    onTestFinished(() => two.close());
    const clientId = 'moving';
    const other = await connect('bob', { clientId: 'other', clean }, two.first);
    const first = await connect('bob', { clientId, clean }, two.first);
    const second = await connect('bob', { clientId, clean, url: two.urls[1] }, two.first);
    await first.closed;
    expect(second.sessionPresent).toBe(!clean);
    const third = await connect('bob', { clientId, clean }, two.first);
    await second.closed;
    expect([other.client.connected, third.client.connected]).toEqual([true, true]);
    expect(await third.subscribe(`user/${third.userInternalId}`)).toEqual([0]);
    await expectEvent(third, 'bob', two.first);
    expect(third.client.connected).toBe(true);
  });
});

describe('limits of sessions', () => {
  test('a new topic replaces the oldest one of an earlier connection, but none of the current connection', async () => {
    const clientId = 'full';
    const users = ['alice', 'bob', 'carol', 'erin', 'grace', 'heidi'];
    const topics = await Promise.all(users.map(topicOf));
    const first = await connect('frank', { clientId });
    expect(await first.subscribe(...topics.slice(0, 5))).toEqual([0, 0, 0, 0, 128]);
    await first.close();
    const again = await connect('frank', { clientId });
    expect(await again.subscribe(topics[4]!)).toEqual([0]);
    const [session] = await sessionsOf('frank');
    expect(session!.topics).toEqual(topics.slice(1, 5).map((topic) => `default/${topic}`));
    await expectEvent(again, 'grace');
    await expectEvent(again, 'bob');
  });

  test('the session unused for longest is removed beyond the limit of the user', async () => {
    for (let n = 0; n < 5; n += 1) await (await connect('leo', { clientId: `device-${n}` })).close();
    const ids = (await sessionsOf('leo')).map(({ clientId }) => clientId).sort();
    expect(ids).toEqual(['device-2', 'device-3', 'device-4']);
    expect(LIVE_LIMITS.mqttSessions).toBe(3);
  });

  test('an expired session that is still stored does not continue', async () => {
    const clientId = 'expired';
    const first = await connect('ivan', { clientId });
    await first.subscribe(await topicOf('alice'));
    await first.close();
    const { mqttSessions } = gateway.services.store.collections;
    // The TTL index removes it within a minute.
    await mqttSessions.updateOne({ networkId: 'default', userId: 'ivan' }, { $set: { expiresAt: new Date(0) } });
    expect((await connect('ivan', { clientId })).sessionPresent).toBe(false);
  });
});
