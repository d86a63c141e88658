import { createPost, postEvent, STORY } from './content-fixtures.ts';
import type { Call, CaseContext, EventCase, ExpectedEvent } from './event-case.ts';
import { channelUsersEvent, createChannel, createUser, messageEvent, userEvent } from './people-fixtures.ts';
import { USER_END_CASES } from './user-end.ts';

const REASON = 'Request 7';

/** An erasure causes the events of the deletion, and with `REMOVE` those of the deleted content. */
export const USER_ERASURE_CASES: EventCase[] = [
  ...USER_END_CASES.slice(0, 3).map(({ situation, prepare }) => ({
    operation: 'eraseUser',
    situation,
    prepare: async (context: CaseContext) => asErasure(await prepare(context)),
  })),
  {
    operation: 'eraseUser',
    situation: 'a user whose content is removed',
    async prepare(context) {
      const user = await createUser(context);
      const channel = await createChannel(context, { members: [user] });
      const own = (operation: string, input: object, select: string) =>
        context.mutate(user.userId, operation, input, select);
      const post = await createPost(context, { targetType: 'USER', targetId: user.userId }, user.userId);
      const onFeed = { ...STORY, targetType: 'USER', targetId: user.userId };
      const { story } = await own('createStory', onFeed, 'story { storyId path }');
      const said = { referenceType: 'STORY', referenceId: story.storyId, data: { text: 'An example' } };
      const { comment } = await own('createComment', said, 'comment { commentId path }');
      const sent = { channelId: channel.channelId, data: { text: 'An example' } };
      const { chatMessage } = await own('sendMessage', sent, 'chatMessage { messageId path }');
      const { storyId, path } = story;
      const events: ExpectedEvent[] = [
        userEvent('user.deleted', user),
        channelUsersEvent('channel.left', channel, user),
        ['comment.deleted', comment.path, { commentId: comment.commentId }],
        ['story.updated', path, { storyId }],
        postEvent('post.deleted', post),
        ['story.deleted', path, { storyId }],
        messageEvent('message.deleted', chatMessage),
      ];
      return { as: 'admin', input: { userId: user.userId, content: 'REMOVE', reason: REASON }, events };
    },
  },
  {
    operation: 'eraseUser',
    situation: 'a user with a file',
    async prepare(context) {
      const user = await createUser(context);
      const { files } = context.gateway.services.store.collections;
      await files.updateOne({ networkId: 'default', fileId: 'planting-plan' }, { $set: { userId: user.userId } });
      return {
        as: 'admin',
        input: { userId: user.userId, content: 'KEEP', reason: REASON },
        events: [
          userEvent('user.deleted', user),
          ['file.deleted', 'default/file/planting-plan', { fileId: 'planting-plan' }],
        ],
      };
    },
  },
  {
    operation: 'eraseUser',
    situation: 'for the second time',
    async prepare(context) {
      const input = { userId: (await createUser(context)).userId, content: 'KEEP', reason: REASON };
      await context.mutate('admin', 'eraseUser', input, 'clientMutationId');
      return { as: 'admin', input };
    },
  },
  {
    operation: 'eraseUser',
    situation: 'another user, without permission',
    async prepare(context) {
      const { userId } = await createUser(context);
      return { as: 'bob', input: { userId, content: 'KEEP', reason: REASON }, code: 'PERMISSION_DENIED' };
    },
  },
];

/** The call of an administrator instead of the deletion. */
function asErasure({ as, input, events }: Call): Call {
  const { userId = as } = input as { userId?: string };
  return { as: 'admin', input: { userId, content: 'KEEP', reason: REASON }, events: events! };
}
