import { expect, test } from 'vitest';
import { isRefused, type Prepared } from '../../schema/documents/prepare.ts';
import { createExecutor } from '../../schema/execute.ts';
import { schema } from '../../schema/index.ts';
import { type ParsedSubscription, parseSubscription } from '../../schema/subscriptions/parse-subscription.ts';
import type { OperationError } from '../../src/errors.ts';

const executor = createExecutor({ schema, onMaskedError: () => 'none' });
const CURSORS = ['826553F10000000001', '826553F10100000001'] as const;

function prepare(source: string): Prepared {
  const prepared = executor.prepare(source);
  if (isRefused(prepared)) throw new Error(prepared.errors[0]!.message);
  return prepared;
}

function parsed(prepared: Prepared, variables: Record<string, unknown>): ParsedSubscription {
  const subscription = parseSubscription(executor, prepared, variables);
  if ('errors' in subscription) throw new Error(subscription.errors[0]!.message);
  return subscription;
}

const errorOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return (error as OperationError).errorName;
  }
};

const BY_TOPIC = prepare(
  'subscription ($after: String, $topic: String) { events(after: $after, topic: $topic) { path } }',
);

test('subscriptions that differ only in their cursor share one spec', () => {
  const [first, second, live] = [{ after: CURSORS[0] }, { after: CURSORS[1] }, {}].map((one) => parsed(BY_TOPIC, one));
  expect([first!.after, second!.after, live!.after]).toEqual([...CURSORS, null]);
  expect(second!.spec).toBe(first!.spec);
  expect(parsed(BY_TOPIC, { unused: 1 }).spec).toBe(live!.spec);
});

test('other variables have a spec of their own, whether they were parsed before or not', () => {
  for (let round = 0; round < 2; round += 1) {
    const specs = ['a/b', 'a/c'].map((topic) => parsed(BY_TOPIC, { topic, after: CURSORS[round] }).spec);
    expect(specs.map(({ topic }) => [topic!('a/b'), topic!('a/c')])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(new Set(specs.map(({ key }) => key)).size).toBe(2);
  }
});

test('validates the cursor of each subscription, also of one that was parsed before', () => {
  parsed(BY_TOPIC, { after: CURSORS[0] });
  expect(errorOf(() => parsed(BY_TOPIC, { after: 'not a cursor' }))).toBe('INVALID_PARAMETERS');
  expect(parseSubscription(executor, BY_TOPIC, { after: 1 })).toHaveProperty('errors');
  expect(parsed(BY_TOPIC, { after: null }).after).toBe(null);
});

test('a cursor that the document also uses elsewhere, contains or declares by default is that of the document', () => {
  const twice = prepare('subscription ($a: String) { events(after: $a, topic: $a) { path } }');
  const [first, second] = CURSORS.map((a) => parsed(twice, { a }));
  expect([first!.after, second!.after]).toEqual(CURSORS);
  expect([first!, second!].map(({ spec }) => spec.topic!(CURSORS[0]))).toEqual([true, false]);
  const literal = prepare(`subscription { events(after: "${CURSORS[0]}") { path } }`);
  const byDefault = prepare(`subscription ($a: String = "${CURSORS[0]}") { events(after: $a) { path } }`);
  for (let round = 0; round < 2; round += 1) {
    expect(parsed(literal, {}).after).toBe(CURSORS[0]);
    expect(parsed(byDefault, {}).after).toBe(CURSORS[0]);
    expect(parsed(byDefault, { a: CURSORS[1] }).after).toBe(CURSORS[1]);
  }
});

test('keeps no more than a few specs of a document', () => {
  const before = parsed(BY_TOPIC, { topic: 'kept/for/now' }).spec;
  for (let index = 0; index < 500; index += 1) parsed(BY_TOPIC, { topic: `network/${index}` });
  expect(parsed(BY_TOPIC, { topic: 'kept/for/now' }).spec).not.toBe(before);
  expect(parsed(BY_TOPIC, { topic: 'kept/for/now' }).spec.key).toBe(before.key);
});
