import { afterAll, beforeAll, expect, test } from 'vitest';
import { userFeedMarkerRecord } from '../../src/sample/builders/chat.ts';
import { createSampleContext } from '../../src/sample/context.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { ask } from '../support/mutate.ts';

/** More than one page scans. All of them have read nothing, and are before all users of the sample in the order of ids. */
const NON_READERS = 2_100;

let gateway: TestGateway;
let messageId: string;
beforeAll(async () => {
  gateway = await startTestGateway({ CACHE_MB: '0' });
  const { messages, userFeedMarkers } = gateway.services.store.collections;
  const context = createSampleContext({ networkId: gateway.networkId, now: new Date() });
  const { networkId } = gateway;
  const [message] = await messages.find({ networkId, isDeleted: false }).sort({ segment: 1, channelId: 1 }).toArray();
  messageId = message!.messageId;
  await userFeedMarkers.insertMany(
    Array.from({ length: NON_READERS }, (_, index) =>
      userFeedMarkerRecord(context, {
        ...{ userId: `a-${String(index).padStart(4, '0')}`, readToSegment: 0, deliveredToSegment: 0 },
        ...{ entityId: message!.channelId, feedId: message!.messageFeedId },
      }),
    ),
  );
}, 60_000);
afterAll(() => gateway.close());

test.each(['readUsers', 'deliveredUsers'])(
  'a page of %s scans at most 2,000 positions, and the next one continues behind them',
  async (list) => {
    const page = async (after: string | null) => {
      const cursor = after ? `, after: "${after}"` : '';
      const selection = `${list}(first: 3${cursor}) { edges { node { userId } } pageInfo { hasNextPage endCursor } }`;
      return (await ask(gateway, `{ message(messageId: "${messageId}") { ${selection} } }`)).message[list];
    };
    await page(null);
    let first: Awaited<ReturnType<typeof page>>;
    const commands = await gateway.commandsOf(async () => {
      first = await page(null);
    });
    expect(first!.edges).toEqual([]);
    expect(first!.pageInfo.hasNextPage).toBe(true);
    expect(commands.length).toBeLessThanOrEqual(30);
    const second = await page(first!.pageInfo.endCursor);
    expect(second.edges.length).toBeGreaterThan(0);
  },
);
