import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findInconsistencies } from '../support/consistency.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { life } from './lives/commands.ts';
import { compare } from './lives/compare.ts';
import { MODERATOR, newModel, PEOPLE } from './lives/model.ts';
import { createReal, type Real } from './lives/real.ts';

/** `LIVES=3000 npx vitest run test/property/lives.test.ts` runs thousands of them. */
const LIVES = Number(process.env.LIVES ?? 30);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ SAMPLE_DATA: 'none' });
});
afterAll(() => gateway.close());

test('random lives of a community come out as a simple model of it says, in every visible field', async () => {
  let lives = 0;
  await fc.assert(
    fc.asyncProperty(life, async (deeds) => {
      const real = await begin(`life${lives++}`);
      const model = newModel();
      await fc.asyncModelRun(() => ({ model, real }), deeds);
      await compare(model, real);
    }),
    { numRuns: LIVES, endOnFailure: process.env.LIVES !== undefined },
  );
  expect(await findInconsistencies(gateway.services.store.db)).toEqual([]);
}, 3_600_000);

/** A new community of new people, whose moderator is its only member. */
async function begin(name: string): Promise<Real> {
  const real = createReal(gateway, name);
  await Promise.all(PEOPLE.map((person) => gateway.tokenOf(real.nameOf(person))));
  const input = { displayName: name, isPublic: true };
  const { payload, outcome } = await real.change(MODERATOR, 'createCommunity', input, 'community { communityId }');
  if (outcome !== 'done') throw new Error(`No community: ${outcome}`);
  real.communityId = payload.community.communityId;
  const found = await real.ask<{ community: { channel: { channelId: string; defaultMessageFeedId: string } } }>(
    MODERATOR,
    'query ($communityId: String!) { community(communityId: $communityId) { channel { channelId defaultMessageFeedId } } }',
    { communityId: real.communityId },
  );
  real.channelId = found.community.channel.channelId;
  real.messageFeedId = found.community.channel.defaultMessageFeedId;
  return real;
}
