import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFixtures, type Fixtures } from './fixtures.ts';
import { CASES, expectedOutcomes, graphqlOutcomes, restOutcomes, restRequests } from './outcomes.ts';

/** Every n-th case: the fast suite checks a sample of the matrix, `matrix.test.ts` all of it. */
const EVERY = 12;
const sample = CASES.filter((_, index) => index % EVERY === 0);

let fixtures: Fixtures;
beforeAll(async () => {
  fixtures = await createFixtures();
});
afterAll(() => fixtures.gateway.close());

describe('a sample of operations has the outcomes of the matrix for each actor over GraphQL', () => {
  test.each(sample.map((testCase) => [`${testCase.operation}: ${testCase.situation}`, testCase] as const))(
    '%s',
    async (_, testCase) => {
      expect(await graphqlOutcomes(fixtures, testCase)).toEqual(expectedOutcomes(testCase));
    },
  );
});

describe('a sample of operations has the outcomes of the matrix for each actor over REST', () => {
  test.each(restRequests(sample))('%s', async (_, testCase, rest) => {
    expect(await restOutcomes(fixtures, testCase, rest)).toEqual(expectedOutcomes(testCase));
  });
});
