import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import { READ_ONLY_MUTATIONS } from '../../src/access/visitor.ts';
import { type Answer, createFixtures, type Fixtures } from './fixtures.ts';
import type { MatrixCase } from './matrix-case.ts';
import { CASES, expectedOutcomes, graphqlOutcome, restOutcome, restRequests } from './outcomes.ts';

let fixtures: Fixtures;
beforeAll(async () => {
  fixtures = await createFixtures();
}, 240_000);
afterAll(() => fixtures.gateway.close());

const isMutation = ({ operation }: MatrixCase) => operation in schema.getMutationType()!.getFields();
const isRefused = (testCase: MatrixCase) => isMutation(testCase) && !READ_ONLY_MUTATIONS.has(testCase.operation);

/** A visitor reads what an outsider reads, except records of the outsider. */
function expectedOutcome(testCase: MatrixCase): string | undefined {
  const { outsider } = expectedOutcomes(testCase);
  return !isMutation(testCase) && testCase.situation.includes('`outsider`') ? 'absent' : outsider;
}

/** The code of a refusal; an upload is refused before its files are read. */
function codeOf({ body }: Answer): unknown {
  return body.data?.answer?.code ?? body.errors?.[0].extensions?.code;
}

/** The records and headers of an outsider's request; refused ones keep the visitor's own session. */
async function requestOf(testCase: MatrixCase) {
  const variables = await testCase.prepare(fixtures, 'outsider');
  const { authorization, ...headers } = (await testCase.headers?.(fixtures, 'outsider')) ?? {};
  const isOther = authorization !== undefined && !isRefused(testCase);
  return { variables, headers: { ...headers, ...(isOther && { authorization }) } };
}

describe('a visitor reads what an outsider reads, and cannot write, over GraphQL', () => {
  test.each(CASES.map((testCase) => [`${testCase.operation}: ${testCase.situation}`, testCase] as const))(
    '%s',
    async (_, testCase) => {
      const { variables, headers } = await requestOf(testCase);
      const answer = await fixtures.ask('visitor', testCase.document, variables, headers);
      if (isRefused(testCase)) return expect(codeOf(answer)).toBe('VISITOR_DENIED');
      expect(graphqlOutcome(testCase, answer)).toBe(expectedOutcome(testCase));
    },
  );
});

describe('a visitor reads what an outsider reads, and cannot write, over REST', () => {
  test.each(restRequests(CASES))('%s', async (_, testCase, rest) => {
    const { variables, headers } = await requestOf(testCase);
    const answer = await fixtures.call('visitor', { ...rest(variables), headers });
    if (isRefused(testCase)) return expect([answer.status, answer.body.code]).toEqual([403, 403999]);
    expect(await restOutcome(fixtures, testCase, variables, answer)).toBe(expectedOutcome(testCase));
  });
});
