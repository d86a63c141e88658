import { mutationScene, type Scene } from '../scene.ts';
import { STAGE } from '../stage.ts';

const PLACES = [
  ['a public channel', STAGE.channel],
  ['a private channel', STAGE.privateChannel],
] as const;
const isEmpty = (answer: unknown) => (answer as unknown[]).length === 0;

export const CHANNEL_SCENES: Scene[] = [
  {
    operation: 'viewerChannels',
    situation: 'one’s own',
    document: '{ answer: viewerChannels { edges { node { channelId } } } }',
    prepare: () => ({}),
    isAbsent: (answer) => isEmpty((answer as { edges: unknown[] }).edges),
  },
  ...PLACES.flatMap(([situation, channelId]): Scene[] => [
    {
      operation: 'channel',
      situation,
      document: 'query ($channelId: String!) { answer: channel(channelId: $channelId) { channelId } }',
      prepare: () => ({ channelId }),
      rest: () => ({ method: 'GET', path: `/api/v3/channels/${channelId}` }),
    },
    {
      operation: 'channels',
      situation,
      document: 'query ($channelId: String!) { answer: channels(channelIds: [$channelId]) { channelId } }',
      prepare: () => ({ channelId }),
      isAbsent: isEmpty,
    },
    ...(['addChannelRole', 'removeChannelRole'] as const).map((operation) =>
      mutationScene(operation, situation, {
        select: 'channelUsers { roles }',
        prepare: () => ({ channelId, role: 'channel-moderator', userIds: ['bystander'] }),
        rest: ({ input }) => ({
          method: operation === 'addChannelRole' ? 'POST' : 'DELETE',
          path: `/api/v3/channels/${channelId}/users/roles`,
          body: input as object,
        }),
      }),
    ),
  ]),
];
