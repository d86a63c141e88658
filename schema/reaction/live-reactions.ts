import {
  addLiveReactions,
  addLiveReactionsInput,
  liveReaction,
  MAX_LIVE_REACTIONS,
} from '../../src/domain/reaction/add-live-reactions.ts';
import type { LiveReaction as StoredReaction } from '../../src/events/event-payloads.ts';
import type { PostRecord } from '../../src/store/records/content.ts';
import { builder } from '../builder.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { Post } from '../post/post.ts';
import { inputOf, inputType } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { loadUser, User } from '../user/user.ts';
import { ReactionReferenceType } from './reaction.ts';

interface DeliveredReaction extends StoredReaction {
  userId: string;
  userInternalId: string;
  post: PostRecord;
}

const LiveReaction = builder.objectRef<DeliveredReaction>('LiveReaction').implement({
  description: 'A reaction of a viewer to a live broadcast. Live reactions are delivered, not stored.',
  fields: (t) => ({
    reactionId: t.exposeString('reactionId', { description: 'Id.' }),
    reactionName: t.exposeString('reactionName', { description: 'Name of the reaction, such as `like`.' }),
    referenceType: t.field({
      type: ReactionReferenceType,
      description: 'Kind of record that shows the broadcast: `POST`.',
      resolve: () => 'post' as const,
    }),
    referenceId: t.string({ description: 'Public id of the post.', resolve: ({ post }) => post.postId }),
    referenceInternalId: t.string({
      description: 'Internal id of the post.',
      resolve: ({ post }) => post._id.toHexString(),
    }),
    userId: t.exposeString('userId', { description: 'Public id of the user who reacted.' }),
    userInternalId: t.exposeString('userInternalId', { description: 'Internal id of the user who reacted.' }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'Time of the reaction.' }),
    user: t.field({
      type: User,
      nullable: true,
      description: 'The user who reacted.',
      resolve: ({ userId }, _, context) => loadUser(context, userId),
    }),
  }),
});

const LiveReactionInput = inputType('LiveReactionInput', 'A reaction to a live broadcast.', { schema: liveReaction });

mutationField(
  'addLiveReactions',
  inputOf(addLiveReactionsInput, { reactions: LiveReactionInput }),
  {
    description: `Delivers up to ${MAX_LIVE_REACTIONS} reactions to the viewers of a room or video stream; they are not stored. \`BAD_REQUEST\` after it has ended.`,
    resolve: (_, { input }, context) => addLiveReactions(context, input),
    ...causes('liveReaction.created'),
  },
  {
    outputFields: (t) => ({
      reactionIds: t.exposeStringList('reactionIds', { description: 'Ids of the reactions, in the given order.' }),
      post: t.expose('post', { type: Post, description: 'The post.' }),
    }),
  },
);

eventType('liveReaction', {
  about: 'a live broadcast: viewers reacted to it',
  fields: (t) => ({
    post: t.field({
      type: Post,
      description: 'The post that shows the broadcast.',
      resolve: fromPayload<PostRecord>('post'),
    }),
    liveReactions: t.field({
      type: [LiveReaction],
      description: 'The reactions, in the order in which they occurred.',
      resolve: fromPayload<DeliveredReaction[]>('liveReactions'),
    }),
  }),
});
