import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findInconsistencies } from '../support/consistency.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { commandSequence } from './model-based/command-sequence.ts';
import { compare } from './model-based/compare.ts';
import { MODERATOR, newModel, PEOPLE } from './model-based/model.ts';
import { createReal, type Real } from './model-based/real.ts';

/** Number of random command sequences; `MODEL_RUNS=3000` runs thousands. */
const MODEL_RUNS = Number(process.env.MODEL_RUNS ?? 30);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ SAMPLE_DATA: 'none' });
});
afterAll(() => gateway.close());

test('random commands leave a community in the state that a simple model predicts, in every visible field', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(commandSequence, async (commands) => {
      const real = await begin(`run${runs++}`);
      const model = newModel();
      await fc.asyncModelRun(() => ({ model, real }), commands);
      await compare(model, real);
    }),
    { numRuns: MODEL_RUNS, endOnFailure: process.env.MODEL_RUNS !== undefined },
  );
  expect(await findInconsistencies(gateway.services.store.db)).toEqual([]);
}, 3_600_000);

/** Creates new users and a new community whose only member is its moderator. */
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
