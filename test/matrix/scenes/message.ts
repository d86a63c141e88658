import { emptyIn, mutationScene, type Scene } from '../scene.ts';
import { STAGE } from '../stage.ts';
import { messageIn } from '../things.ts';
import type { World } from '../world.ts';

const PLACES = [
  ['in a public channel', STAGE.channel],
  ['in a private channel', STAGE.privateChannel],
] as const;
const OWN = [
  ['one of `author` in a public channel', STAGE.channel],
  ['one of `author` in a private channel', STAGE.privateChannel],
] as const;
const chatMessage = 'chatMessage { messageId }';
const idOf = async (world: World, channelId: string) => ({ messageId: (await messageIn(world, channelId)).messageId });
type Input = { input: { messageId: string } };

/** A channel as the stage set it, with some of its fields otherwise. */
async function changed(world: World, set: object): Promise<string> {
  const { channels } = world.gateway.services.store.collections;
  const channel = { networkId: 'default', channelId: STAGE.channel };
  await channels.updateOne(channel, { $set: { isMuted: false, type: 'standard', ...set } });
  return STAGE.channel;
}

const sending = (situation: string, channelOf: (world: World) => string | Promise<string>): Scene =>
  mutationScene('sendMessage', situation, {
    select: chatMessage,
    prepare: async (world) => ({ channelId: await channelOf(world), data: { text: 'Hello' } }),
    rest: ({ input }) => ({ method: 'POST', path: '/api/v5/messages', body: input as object }),
  });

const read = (operation: string, [situation, channelId]: readonly [string, string], document: string): Scene => ({
  operation,
  situation,
  document,
  prepare: (world) => idOf(world, channelId),
});

export const MESSAGE_SCENES: Scene[] = [
  ...PLACES.flatMap((place): Scene[] => [
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
        'isMessageFlagged',
        place,
        'query ($messageId: String!) { answer: isMessageFlagged(messageId: $messageId) }',
      ),
      rest: ({ messageId }) => ({ method: 'GET', path: `/api/v5/messages/${messageId}/flags` }),
    },
    mutationScene('flagMessage', place[0], {
      select: 'clientMutationId',
      prepare: (world) => idOf(world, place[1]),
      rest: ['v3/messages/:id/flag', 'v5/messages/:id/flags'].map((path) => (variables) => ({
        method: 'POST',
        path: `/api/${path.replace(':id', (variables as Input).input.messageId)}`,
        body: {},
      })),
    }),
    mutationScene('unflagMessage', place[0], {
      select: chatMessage,
      prepare: (world) => idOf(world, place[1]),
      rest: (variables) => ({
        method: 'DELETE',
        path: `/api/v5/messages/${(variables as Input).input.messageId}/flags`,
      }),
    }),
  ]),
  sending('in a public channel', (world) => changed(world, {})),
  sending('in a private channel', () => STAGE.privateChannel),
  sending('in a muted channel', (world) => changed(world, { isMuted: true })),
  sending('in a broadcast', (world) => changed(world, { type: 'broadcast' })),
  ...OWN.flatMap(([situation, channelId]) => [
    mutationScene('updateMessage', situation, {
      select: chatMessage,
      prepare: async (world) => {
        await changed(world, {});
        return { ...(await idOf(world, channelId)), data: { text: 'Anew' } };
      },
      rest: (variables) => {
        const { messageId, ...body } = (variables as Input).input;
        return { method: 'PUT', path: `/api/v5/messages/${messageId}`, body };
      },
    }),
    mutationScene('deleteMessage', situation, {
      select: chatMessage,
      prepare: (world) => idOf(world, channelId),
      rest: (variables) => ({ method: 'DELETE', path: `/api/v5/messages/${(variables as Input).input.messageId}` }),
    }),
  ]),
  mutationScene('clearMessageFlags', 'in a public channel', {
    select: chatMessage,
    prepare: (world) => idOf(world, STAGE.channel),
  }),
];
