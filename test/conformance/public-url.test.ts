import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Started, start } from '../../src/process/start.ts';
import { signIn } from '../support/gateway.ts';
import { PNG } from '../support/png.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-public-url-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function begin(env: Record<string, string> = {}): Promise<Started> {
  const config = readConfig({ PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'silent', NODE_ENV: 'test', ...env });
  const started = await start(config, { embedded: { durability: 'memory' } });
  onTestFinished(() => started.close());
  return started;
}

async function avatarUrls(gateway: Started): Promise<string[]> {
  const headers = { authorization: `Bearer ${await signIn(gateway, 'alice')}` };
  const page = await fetch(`${gateway.url}/api/v3/users/alice`, { headers });
  const { files } = (await page.json()) as { files: Array<{ fileUrl: string }> };
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ viewer { avatar { fileUrl } } }' }),
  });
  const { data } = (await response.json()) as { data: { viewer: { avatar: { fileUrl: string } } } };
  return [...files.map(({ fileUrl }) => fileUrl), data.viewer.avatar.fileUrl];
}

test('file URLs use the current PUBLIC_URL, also for files uploaded under another one', async () => {
  const first = await begin({ PUBLIC_URL: 'https://first.example/' });
  const form = new FormData();
  form.append('files', new Blob([new Uint8Array(PNG)]), 'x.png');
  const headers = { authorization: `Bearer ${await signIn(first, 'alice')}` };
  const upload = await fetch(`${first.url}/api/v4/images`, { method: 'POST', headers, body: form });
  const [{ fileId, fileUrl }] = (await upload.json()) as [{ fileId: string; fileUrl: string }];
  expect(fileUrl).toBe(`https://first.example/files/${fileId}`);
  expect(await avatarUrls(first)).toEqual(Array(2).fill('https://first.example/files/avatar-alice'));
  await first.close();

  const second = await begin({ PUBLIC_URL: 'https://second.example' });
  expect(await avatarUrls(second)).toEqual(Array(2).fill('https://second.example/files/avatar-alice'));
  const again = await fetch(`${second.url}/api/v3/files/${fileId}`, {
    headers: { authorization: `Bearer ${await signIn(second, 'alice')}` },
  });
  const { files } = (await again.json()) as { files: Array<{ fileUrl: string }> };
  expect(files.map((file) => file.fileUrl)).toEqual([`https://second.example/files/${fileId}`]);
  const { collections } = second.services.store;
  expect(JSON.stringify(await collections.files.find().toArray())).not.toContain('first.example');
  for (const records of [collections.users, collections.rooms, collections.videoStreams])
    expect(JSON.stringify(await records.find().toArray())).not.toContain('first.example');
});

test('file URLs use the port of the gateway without PUBLIC_URL', async () => {
  const gateway = await begin();
  const [url] = await avatarUrls(gateway);
  expect(url).toBe(`${gateway.url}/files/avatar-alice`);
  expect((await fetch(url!)).status).toBe(200);
});
