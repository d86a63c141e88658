import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createResolver } from '../../src/webhooks/resolver.ts';

let server: Socket;
let queried: string[];
let servers: string[];
beforeEach(async () => {
  queried = [];
  server = createSocket('udp4', (question, { port, address }) => {
    const name = nameIn(question);
    queried.push(name);
    if (!name.startsWith('silent')) server.send(answerTo(question, name), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  servers = [`127.0.0.1:${server.address().port}`];
});
afterEach(() => void server.close());

const HEAD = 12;

function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let at = HEAD; question[at]! > 0; at += question[at]! + 1)
    labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!));
  return labels.join('.');
}

/** `192.0.2.7` for names that begin with `known`; no such name for all others. */
function answerTo(question: Buffer, name: string): Buffer {
  const end = HEAD + name.length + 2;
  const isAddress = question.readUInt16BE(end) === 1;
  const head = Buffer.from(question.subarray(0, HEAD));
  const isKnown = name.startsWith('known');
  head.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
  const answers = isKnown && isAddress ? [0xc0, HEAD, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7] : [];
  for (const [at, count] of [1, answers.length > 0 ? 1 : 0, 0, 0].entries()) head.writeUInt16BE(count, 4 + at * 2);
  return Buffer.concat([head, question.subarray(HEAD, end + 4), Buffer.from(answers)]);
}

test('fails for a name whose server never answers, without delaying others', async () => {
  // Tried twice: the answers of a busy machine arrive in time.
  const resolve = createResolver({ servers, timeoutMs: 700 });
  let failed = 0;
  const failing = Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => resolve(`silent${index}.test`).finally(() => (failed += 1))),
  );
  const found = await Promise.all(Array.from({ length: 20 }, (_, index) => resolve(`known${index}.test`)));
  expect(failed).toBe(0);
  expect(found).toEqual(Array(20).fill([{ address: '192.0.2.7', family: 4 }]));
  for (const one of await failing) expect(one).toMatchObject({ status: 'rejected', reason: { code: 'ETIMEOUT' } });
});

test('shares one lookup between concurrent requests', async () => {
  const resolve = createResolver({ servers });
  await Promise.all(Array.from({ length: 10 }, () => resolve('known.test')));
  // For each of its two kinds of addresses.
  expect(queried).toEqual(['known.test', 'known.test']);
  await resolve('known.test');
  expect(queried.length).toBe(4);
});

test('finds names that only this machine knows', async () => {
  const resolve = createResolver({ servers });
  const [address, ...names] = (await readFile('/etc/hosts', 'utf8')).match(/^127\S+.*$/m)![0].split(/\s+/);
  expect(await resolve(names[0]!)).toContainEqual({ address, family: 4 });
  await expect(resolve('nowhere.invalid')).rejects.toMatchObject({
    code: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
  });
});

test('uses the system resolver when there is no name server', async () => {
  server.close();
  const resolve = createResolver({ servers: ['127.0.0.1:9'], timeoutMs: 200 });
  await expect(resolve('nowhere.invalid')).rejects.toMatchObject({ code: expect.any(String) });
  server = createSocket('udp4').bind();
});
