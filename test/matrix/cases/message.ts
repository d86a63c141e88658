import { PLACE_IDS } from '../actors.ts';
import { createMessage, markFlagged } from '../content.ts';
import type { Fixtures } from '../fixtures.ts';
import { emptyIn, type MatrixCase, mutationCase } from '../matrix-case.ts';

const PLACES = [
  ['in a public channel', PLACE_IDS.channel],
  ['in a private channel', PLACE_IDS.privateChannel],
] as const;
const OWN = [
  ['one of `author` in a public channel', PLACE_IDS.channel],
  ['one of `author` in a private channel', PLACE_IDS.privateChannel],
] as const;
const chatMessage = 'chatMessage { messageId }';
const idOf = async (fixtures: Fixtures, channelId: string) => ({
  messageId: (await createMessage(fixtures, channelId)).messageId,
});
type Input = { input: { messageId: string } };

/** A channel with the shared memberships and some other fields. */
async function changed(fixtures: Fixtures, set: object): Promise<string> {
  const { channels } = fixtures.gateway.services.store.collections;
  const channel = { networkId: 'default', channelId: PLACE_IDS.channel };
  await channels.updateOne(channel, { $set: { isMuted: false, type: 'standard', ...set } });
  return PLACE_IDS.channel;
}

const sending = (situation: string, channelOf: (fixtures: Fixtures) => string | Promise<string>): MatrixCase =>
  mutationCase('sendMessage', situation, {
    select: chatMessage,
    prepare: async (fixtures) => ({ channelId: await channelOf(fixtures), data: { text: 'Hello' } }),
    rest: ({ input }) => ({ method: 'POST', path: '/api/v5/messages', body: input as object }),
  });

const read = (operation: string, [situation, channelId]: readonly [string, string], document: string): MatrixCase => ({
  operation,
  situation,
  document,
  prepare: (fixtures) => idOf(fixtures, channelId),
});

export const MESSAGE_CASES: MatrixCase[] = [
  ...PLACES.flatMap((place): MatrixCase[] => [
    {
      ...read('message', place, 'query ($messageId: String!) { answer: message(messageId: $messageId) { messageId } }'),
      rest: ({ messageId }) => ({ method: 'GET', path: `/api/v5/messages/${messageId}` }),
    },
    {
      ...read(
        'messages',
        place,
        'query ($messageId: String!) { answer: messages(messageIds: [$messageId]) { messageId } }',
      ),
      isAbsent: (answer) => (answer as unknown[]).length === 0,
      isAbsentInRest: emptyIn('messages'),
      rest: ({ messageId }) => ({ method: 'GET', path: `/api/v5/messages/list?messageIds=${messageId}` }),
    },
    {
      ...read(
        'messagesByIds',
        place,
        'query ($messageId: String!) { answer: messagesByIds(messageIds: [$messageId]) { messageId } }',
      ),
      isAbsent: (answer) => (answer as unknown[]).length === 0,
    },
    {
      ...read(
        'isMessageFlagged',
        place,
        'query ($messageId: String!) { answer: isMessageFlagged(messageId: $messageId) }',
      ),
      rest: ({ messageId }) => ({ method: 'GET', path: `/api/v5/messages/${messageId}/flags` }),
    },
    mutationCase('flagMessage', place[0], {
      select: 'clientMutationId',
      prepare: (fixtures) => idOf(fixtures, place[1]),
      rest: ['v3/messages/:id/flag', 'v5/messages/:id/flags'].map((path) => (variables) => ({
        method: 'POST',
        path: `/api/${path.replace(':id', (variables as Input).input.messageId)}`,
        body: {},
      })),
    }),
    mutationCase('unflagMessage', place[0], {
      select: chatMessage,
      prepare: (fixtures) => idOf(fixtures, place[1]),
      rest: (variables) => ({
        method: 'DELETE',
        path: `/api/v5/messages/${(variables as Input).input.messageId}/flags`,
      }),
    }),
  ]),
  sending('in a public channel', (fixtures) => changed(fixtures, {})),
  sending('in a private channel', () => PLACE_IDS.privateChannel),
  sending('in a muted channel', (fixtures) => changed(fixtures, { isMuted: true })),
  sending('in a broadcast', (fixtures) => changed(fixtures, { type: 'broadcast' })),
  ...OWN.flatMap(([situation, channelId]) => [
    mutationCase('updateMessage', situation, {
      select: chatMessage,
      prepare: async (fixtures) => {
        await changed(fixtures, {});
        return { ...(await idOf(fixtures, channelId)), data: { text: 'Changed' } };
      },
      rest: (variables) => {
        const { messageId, ...body } = (variables as Input).input;
        return { method: 'PUT', path: `/api/v5/messages/${messageId}`, body };
      },
    }),
    mutationCase('deleteMessage', situation, {
      select: chatMessage,
      prepare: (fixtures) => idOf(fixtures, channelId),
      rest: (variables) => ({ method: 'DELETE', path: `/api/v5/messages/${(variables as Input).input.messageId}` }),
    }),
  ]),
  mutationCase('clearMessageFlags', 'in a public channel', {
    select: chatMessage,
    prepare: async (fixtures) => {
      const message = await idOf(fixtures, PLACE_IDS.channel);
      await markFlagged(fixtures, 'messages', message);
      return message;
    },
  }),
];
