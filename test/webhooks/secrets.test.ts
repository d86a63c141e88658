import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type BuiltProgram, buildGateway } from '../support/build-program.ts';
import { freePort } from '../support/free-port.ts';
import { signIn } from '../support/gateway.ts';
import { type Receiver, startReceiver, status } from './receiver.ts';

const TOKEN = 'the-access-token-of-a-receiver';
const PATH = '/services/T0000/the-secret-part-of-a-url';
const keys = { API_KEY: 'the-api-key', SERVER_KEY: 'the-server-key-of-this-test', TOKEN_SECRET: 'x'.repeat(32) };

/** The fields of mutation payloads that this test reads. */
interface Created {
  secret: string;
  endpoint: { endpointId: string };
}

let program: BuiltProgram;
let folder: string;
let receiver: Receiver;
beforeAll(async () => {
  program = await buildGateway();
  folder = await mkdtemp(join(tmpdir(), 'colloquy-secrets-'));
  receiver = await startReceiver(status(410));
}, 120_000);
afterAll(async () => {
  await receiver.close();
  await program.remove();
  await rm(folder, { recursive: true, force: true });
});

test('keeps secrets, tokens and URLs of endpoints out of logs at any level and of later answers', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [join(program.folder, 'main.js')], {
    env: {
      PATH: process.env.PATH,
      ...keys,
      PORT: String(port),
      DATA_DIR: folder,
      LOG_LEVEL: 'trace',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitUntil(isReady, { timeout: 60_000, interval: 100 });
  const token = await signIn({ url, keys }, 'admin');
  const answers: string[] = [];
  const ask = async (query: string) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query }),
    });
    const text = await response.text();
    answers.push(text);
    return JSON.parse(text).data as { a: Created };
  };
  const input = `url: "${receiver.url}${PATH}", accessToken: "${TOKEN}", events: ["push-notification/mention-post.created"]`;
  const created = await ask(
    `mutation { a: createWebhookEndpoint(input: { ${input}, clientMutationId: "once" }) { ... on CreateWebhookEndpointPayload { secret endpoint { endpointId } } } }`,
  );
  const { secret, endpoint } = created.a;
  const { endpointId } = endpoint;
  const rotated = await ask(
    `mutation { a: rotateWebhookSecret(input: { endpointId: "${endpointId}" }) { ... on RotateWebhookSecretPayload { secret } } }`,
  );
  const responses = answers.splice(0);
  expect(responses.join('\n')).not.toContain(TOKEN);
  // Answers a ping with 410, which disables the endpoint and logs it.
  await ask(`mutation { a: sendTestPing(input: { endpointId: "${endpointId}" }) { __typename } }`);
  await vi.waitUntil(() => log.includes('was disabled'), { timeout: 30_000, interval: 50 });
  expect(log).toContain(endpointId);
  await ask(
    `mutation { a: createWebhookEndpoint(input: { ${input}, clientMutationId: "once" }) { ... on CreateWebhookEndpointPayload { secret endpoint { endpointId } } } }`,
  );
  await ask(
    `{ webhookEndpoints { edges { node { hasAccessToken disabledReason secrets { createdAt endsAt } deliveries { edges { node { body attempts { error response } } } } } } } }`,
  );
  await ask(`mutation { a: rotateWebhookSecret(input: { endpointId: "none" }) { __typename } }`);
  await ask(
    `mutation { a: updateWebhookEndpoint(input: { endpointId: "${endpointId}", accessToken: "${TOKEN}\\n" }) { __typename ... on OperationError { detail } } }`,
  );
  child.kill('SIGTERM');
  await once(child, 'close');
  for (const hidden of [secret, rotated.a.secret, TOKEN, PATH]) {
    expect(hidden.length).toBeGreaterThan(10);
    expect(log).not.toContain(hidden);
    expect(answers.join('\n')).not.toContain(hidden);
  }
  expect(answers.join('\n')).toContain('"disabledReason":"GONE"');
}, 120_000);
