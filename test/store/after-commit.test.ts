import { MongoError } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onCommit } from '../../src/store/transaction.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

function transientError(): MongoError {
  const error = new MongoError('A conflict.');
  error.addErrorLabel('TransientTransactionError');
  return error;
}

test('reports only the attempt that has committed', async () => {
  const reports: number[] = [];
  let attempts = 0;
  await gateway.services.store.transaction(async (session) => {
    attempts += 1;
    const attempt = attempts;
    onCommit(session, () => reports.push(attempt));
    if (attempt === 1) throw transientError();
  });
  expect(reports).toEqual([2]);
});

test('does not repeat committed work when a report fails', async () => {
  let attempts = 0;
  const running = gateway.services.store.transaction(async (session) => {
    attempts += 1;
    onCommit(session, () => {
      throw transientError();
    });
  });
  await expect(running).rejects.toThrow('A conflict.');
  expect(attempts).toBe(1);
});
