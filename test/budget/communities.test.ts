import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { COMMUNITY_OPERATIONS } from '../support/operations/community.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.tokenOf('alice');
});
afterAll(() => gateway.close());

test.each(COMMUNITY_OPERATIONS)('%s takes at most %d commands', async (_, budget, query) => {
  await gateway.graphql(query);
  let answer: Awaited<ReturnType<TestGateway['graphql']>> | undefined;
  const commands = await gateway.commandsOf(async () => {
    answer = await gateway.graphql(query);
  });
  expect(answer!.errors).toBeUndefined();
  expect(commands.length, commands.join(' ')).toBeLessThanOrEqual(budget);
});

test('changing the roles of ten members takes at most 16 commands', async () => {
  const change = (verb: 'add' | 'remove') =>
    gateway.graphql(
      `mutation ($ids: [String!]!) { result: ${verb}CommunityRoles(input: { communityId: "gardeners", roleIds: ["community-moderator"], userIds: $ids }) {
        __typename ... on OperationError { message } } }`,
      { variables: { ids: ['bob', 'carol', 'frank', 'grace', 'heidi', 'ivan', 'judy', 'kim', 'leo', 'mia'] } },
    );
  for (const verb of ['add', 'remove'] as const) {
    const commands = await gateway.commandsOf(async () => {
      const { data } = await change(verb);
      expect(data.result).toMatchObject({ __typename: expect.stringContaining('Payload') });
    });
    expect(commands.length, commands.join(' ')).toBeLessThanOrEqual(16);
  }
});
