import { MATRIX } from '../../src/access/matrix/index.ts';
import { ACTORS, type Actor, type Outcome } from '../../src/access/matrix/row.ts';
import { audited } from './audited.ts';
import { CHAT_CASES } from './cases/chat.ts';
import { LIST_CASES } from './cases/lists.ts';
import { MODERATION_CASES } from './cases/moderation.ts';
import { PEOPLE_CASES } from './cases/people.ts';
import { SOCIAL_CASES } from './cases/social.ts';
import { WEBHOOK_CASES } from './cases/webhook.ts';
import type { Answer, Fixtures, RestRequest, Variables } from './fixtures.ts';
import type { MatrixCase, Rest } from './matrix-case.ts';

export const CASES: readonly MatrixCase[] = [
  ...PEOPLE_CASES,
  ...SOCIAL_CASES,
  ...CHAT_CASES,
  ...LIST_CASES,
  ...MODERATION_CASES,
  ...WEBHOOK_CASES,
];

/** What each actor gets: an outcome of the matrix or, for any other response, its text. */
export type Outcomes = Partial<Record<Actor, Outcome | string>>;

const actors = Object.keys(ACTORS) as Actor[];

const REFUSALS = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'PERMISSION_DENIED',
  'BANNED',
  'USER_MUTED',
  'CHANNEL_MUTED',
  'CANNOT_BAN',
  'VISITOR_DENIED',
];

/** The outcomes that the matrix lists for a case. */
export function expectedOutcomes({ operation, situation }: MatrixCase): Outcomes {
  return MATRIX.find((row) => row.operation === operation && row.situation === situation)!.outcomes;
}

export async function graphqlOutcomes(fixtures: Fixtures, testCase: MatrixCase): Promise<Outcomes> {
  const outcomes: Outcomes = {};
  for (const actor of actors) {
    const variables = await testCase.prepare(fixtures, actor);
    const headers = await testCase.headers?.(fixtures, actor);
    outcomes[actor] = await audited(fixtures, testCase, actor, async () =>
      graphqlOutcome(testCase, await fixtures.ask(actor, testCase.document, variables, headers)),
    );
  }
  return outcomes;
}

/** @param onRequest called with each request before it is sent */
export async function restOutcomes(
  fixtures: Fixtures,
  testCase: MatrixCase,
  rest: Rest,
  onRequest: (request: RestRequest) => void = () => undefined,
): Promise<Outcomes> {
  const outcomes: Outcomes = {};
  for (const actor of actors) {
    const variables = await testCase.prepare(fixtures, actor);
    const request = rest(variables);
    onRequest(request);
    const headers = await testCase.headers?.(fixtures, actor);
    outcomes[actor] = await audited(fixtures, testCase, actor, async () =>
      restOutcome(fixtures, testCase, variables, await fixtures.call(actor, { ...request, headers })),
    );
  }
  return outcomes;
}

/** Each REST request of the cases with a name for its test. */
export function restRequests(
  cases: readonly MatrixCase[],
): Array<readonly [name: string, testCase: MatrixCase, rest: Rest]> {
  return cases.flatMap((testCase) =>
    [testCase.rest ?? []].flat().map((rest, index) => {
      const suffix = index === 0 ? '' : `, request ${index + 1}`;
      return [`${testCase.operation}: ${testCase.situation}${suffix}`, testCase, rest] as const;
    }),
  );
}

/** Whether a GraphQL response means allowed, refused or absent; its text for anything else. */
export function graphqlOutcome({ isAbsent = (answer) => answer === null }: MatrixCase, { body }: Answer): string {
  if (body.errors) return outcomeOfCode(String(body.errors[0].extensions?.code), JSON.stringify(body.errors[0]));
  const { answer } = body.data;
  if (answer?.__typename === 'OperationError') return outcomeOfCode(answer.code, JSON.stringify(answer));
  return isAbsent(answer) ? 'absent' : 'allowed';
}

function outcomeOfCode(code: string, text: string): string {
  if (code === 'NOT_FOUND') return 'absent';
  return REFUSALS.includes(code) ? 'refused' : text;
}

/** As {@link graphqlOutcome}, for a REST response. */
export async function restOutcome(
  fixtures: Fixtures,
  { isAbsentInRest }: MatrixCase,
  variables: Variables,
  { status, body }: Answer,
): Promise<string> {
  if (status === 200) return (await isAbsentInRest?.(body, variables, fixtures)) ? 'absent' : 'allowed';
  if (status === 404 && body.code === 400400) return 'absent';
  return [401, 403].includes(status) ? 'refused' : JSON.stringify(body);
}
