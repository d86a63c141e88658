import type { LookupAddress } from 'node:dns';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkedUrl, isPublicAddress } from '../../src/webhooks/address-guard.ts';
import { createSender, type SenderOptions } from '../../src/webhooks/send.ts';
import { type Receiver, startReceiver, status } from './receiver.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const NOT_PUBLIC = [
  ['127.0.0.1', 'loopback'],
  ['127.8.8.8', 'loopback'],
  ['10.0.0.1', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.1', 'private'],
  ['169.254.169.254', 'link-local: metadata service of cloud providers'],
  ['168.63.129.16', 'host of Azure virtual machines'],
  ['100.64.0.1', 'shared by a provider (CGNAT)'],
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'this network'],
  ['192.0.2.1', 'documentation'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['198.18.0.1', 'benchmarks'],
  ['192.0.0.1', 'protocol assignments'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.250', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['fe80::1', 'link-local'],
  ['fc00::1', 'unique local'],
  ['fd12:3456::1', 'unique local'],
  ['fd00:ec2::254', 'unique local: metadata service of AWS'],
  ['::ffff:168.63.129.16', 'IPv4-mapped'],
  ['64:ff9b::a83f:8110', 'NAT64'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['2001:db8::1', 'documentation'],
  ['::ffff:127.0.0.1', 'IPv4-mapped'],
  ['::ffff:10.0.0.1', 'IPv4-mapped'],
  ['::ffff:0:127.0.0.1', 'translated (SIIT)'],
  ['::127.0.0.1', 'IPv4-compatible'],
  ['64:ff9b::7f00:1', 'NAT64'],
  ['64:ff9b::10.0.0.1', 'NAT64'],
  ['64:ff9b:1::1', 'NAT64, local use'],
  ['2002:7f00:1::1', '6to4'],
  ['2002:c0a8:101::1', '6to4'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'Teredo'],
  ['100::1', 'discard'],
  ['5f00::1', 'segment routing'],
  ['no address', 'no address'],
];

test.each(NOT_PUBLIC)('rejects %s as not public: %s', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '93.184.215.14',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
  '::ffff:1.1.1.1',
  '64:ff9b::1.1.1.1',
])('accepts %s as public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://017700000001/',
  'http://0177.0.0.1/',
  'http://127.0.0.1./',
  'http://①②⑦.0.0.1/',
  'http://%31%32%37.0.0.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[0:0:0:0:0:ffff:7f00:1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://169.254.169.254/latest/meta-data/',
  'https://192.168.0.1:8443/',
  'http://0/',
])('rejects %s, which is an address that is not public', (url) => {
  expect(() => checkedUrl(url, { allowPrivate: false })).toThrow('not a public address');
});

test.each([
  'file:///etc/passwd',
  'ftp://example.com/',
  'gopher://example.com/',
  'unix:/var/run/docker.sock',
  'javascript:alert(1)',
  'data:text/plain,x',
  'https://user:password@example.com/',
  'https://user@example.com/',
  '/relative',
  'example.com',
  '',
  `https://example.com/${'x'.repeat(2_000)}`,
])('rejects %s as a webhook URL, even with private addresses allowed', (url) => {
  expect(() => checkedUrl(url, { allowPrivate: true })).toThrow();
});

const call = (url: string) => ({ url, method: 'POST' as const, headers: {}, body: '{}' });
const loopback: LookupAddress = { address: '127.0.0.1', family: 4 };
const elsewhere: LookupAddress = { address: '93.184.215.14', family: 4 };

describe('at delivery', () => {
  const sendTo = async (url: string, answers: LookupAddress[][], options: Partial<SenderOptions> = {}) => {
    const resolved: string[] = [];
    const sender = createSender({
      allowPrivate: false,
      ...options,
      resolve: async (host) => {
        resolved.push(host);
        return answers[Math.min(resolved.length, answers.length) - 1]!;
      },
    });
    const before = receiver.received.length;
    const answer = await sender.send(call(url));
    sender.close();
    return { answer, resolved, arrived: receiver.received.length - before };
  };

  test('rejects a name that resolves to a private address before sending anything', async () => {
    const { answer, resolved, arrived } = await sendTo(`http://hooks.test:${receiver.port}/`, [[loopback]]);
    expect(answer).toMatchObject({ status: null, error: 'The host is not a public address.' });
    expect([resolved, arrived]).toEqual([['hooks.test'], 0]);
  });

  test('rejects a name when one of its addresses is private', async () => {
    const { answer } = await sendTo(`http://hooks.test:${receiver.port}/`, [[elsewhere, loopback]]);
    expect(answer.error).toBe('The host is not a public address.');
  });

  test('resolves a name once, and connects to the address that was checked', async () => {
    // The first answer is public and unreachable from here; the second would lead to the receiver.
    const { resolved, arrived } = await sendTo(`http://rebinding.test:${receiver.port}/`, [[elsewhere], [loopback]], {
      timeoutMs: 500,
    });
    expect([resolved, arrived]).toEqual([['rebinding.test'], 0]);
  });

  test('sends the host name to the address that was checked', async () => {
    const { answer, resolved, arrived } = await sendTo(
      `http://inside.test:${receiver.port}/path?query=1`,
      [[loopback], [elsewhere]],
      { allowPrivate: true },
    );
    expect([answer.status, resolved, arrived]).toEqual([200, ['inside.test'], 1]);
    expect(receiver.received.at(-1)).toMatchObject({
      path: '/path?query=1',
      headers: { host: `inside.test:${receiver.port}` },
    });
  });

  test('checks an address in the URL again at delivery', async () => {
    const { answer, resolved, arrived } = await sendTo(receiver.url, [[elsewhere]]);
    expect(answer.error).toBe('The host is not a public address.');
    expect([resolved, arrived]).toEqual([[], 0]);
  });

  test('does not follow redirects', async () => {
    const inner = await startReceiver();
    receiver.answer(status(302, { location: inner.url }));
    const sender = createSender({ allowPrivate: true, resolve: async () => [] });
    expect(await sender.send(call(receiver.url))).toMatchObject({ status: 302 });
    expect(inner.received).toEqual([]);
    sender.close();
    await inner.close();
  });
});
