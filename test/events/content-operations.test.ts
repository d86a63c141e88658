import { afterAll, beforeAll, describe, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { CONTENT_ROWS } from './rows/content.ts';
import { runRow } from './run-row.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

describe('operations of content append exactly what they did', () => {
  test.each(CONTENT_ROWS.map((row) => [`${row.operation}: ${row.situation}`, row] as const))('%s', (_, row) =>
    runRow(gateway, row),
  );
});
