import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { EVENTS, REALTIME_NAMES } from '../../src/events/catalogue.ts';
import { WEBHOOK_NAMES } from '../../src/webhooks/names.ts';
import { asyncApi, asyncApiProblems, deliveryProblems } from '../support/asyncapi.ts';
import { problemsOf } from '../support/openapi.ts';

const specification = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0.json') as object;

test('the document is valid under the AsyncAPI 3.0 schema', () => {
  const ajv = new Ajv({ strict: false, allErrors: true, meta: false, validateSchema: false });
  (addFormats as unknown as (instance: Ajv) => void)(ajv);
  const validate = ajv.compile(specification);
  expect(validate(asyncApi) ? [] : problemsOf(validate)).toEqual([]);
  expect(validate({ ...asyncApi, channels: { one: { address: 1 } } })).toBe(false);
});

test('the committed document is up to date', () => {
  const committed = readFileSync(join(import.meta.dirname, '..', '..', 'asyncapi.json'), 'utf8');
  expect(JSON.parse(committed)).toEqual(asyncApi);
});

test('every reference resolves, and operations refer to messages of their own channel', () => {
  const resolve = (ref: string) =>
    ref
      .slice(2)
      .split('/')
      .reduce<unknown>((node, part) => (node as { [key: string]: unknown } | undefined)?.[part], asyncApi);
  const refs = [...JSON.stringify(asyncApi).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!);
  expect(refs.length).toBeGreaterThan(500);
  expect(refs.filter((ref) => resolve(ref) === undefined)).toEqual([]);
  for (const { channel, messages } of Object.values(asyncApi.operations)) {
    for (const { $ref } of messages) expect($ref.startsWith(`${channel.$ref}/messages/`), $ref).toBe(true);
  }
});

test('every event and every webhook of the catalogue has a channel', () => {
  const addresses = Object.values(asyncApi.channels).map(({ address }) => address);
  expect(REALTIME_NAMES.filter((name) => !addresses.includes(`/realtime/${name}`))).toEqual([]);
  expect(WEBHOOK_NAMES.filter((name) => !asyncApi.channels[`webhook.${name.replace('/', '.')}`])).toEqual([]);
  expect(asyncApi.channels.graphql?.address).toBe('/graphql');
  expect(Object.keys(asyncApi.channels)).toHaveLength(REALTIME_NAMES.length + WEBHOOK_NAMES.length + 3);
});

test('reports messages that lack required fields', () => {
  expect(EVENTS['user.flagCleared'].realtime).toBe(true);
  expect(asyncApiProblems('realtime.user.flagCleared', { data: { users: [{}] } })).not.toEqual([]);
  expect(asyncApiProblems('graphql.connection_ack', { type: 'connection_ack' })).toEqual([]);
  expect(asyncApiProblems('graphql.connection_ack', { type: 'ack' })).not.toEqual([]);
  const headers = { 'webhook-id': 'msg_0123456789abcdef01234567' };
  expect(deliveryProblems(headers, '{"event":"message.didDelete","data":{}}')).toEqual(
    expect.arrayContaining([
      "/data must have required property 'messageFeeds'",
      " must have required property 'webhook-signature'",
    ]),
  );
});

test('the events described in docs/interface.md have recorded examples, which are valid', () => {
  const messages = Object.entries(asyncApi.components.messages);
  const withExamples = messages.filter(([, { examples }]) => examples);
  expect(withExamples.map(([name]) => name).sort()).toEqual(expect.arrayContaining(DESCRIBED));
  for (const [name, { examples = [] }] of withExamples) {
    for (const { payload } of examples) expect(asyncApiProblems(name, payload), name).toEqual([]);
  }
});

/** docs/interface.md#event-envelope and #webhook-deliveries */
const DESCRIBED = [
  'realtime.channel.deleted',
  'realtime.community.userChanged',
  'realtime.post.addReaction',
  'realtime.story.deleted',
  'realtime.user.flagCleared',
  'webhook.push-notification.mention-post.created',
  'webhook.push-notification.post.need-reviewing',
  'webhook.v5.message.didDelete',
];
