import { pollOfPost, roomOfPost, videoStreamOfPost } from '../../src/domain/post/content/media-of-post.ts';
import { isPostFlagged, isPostFlaggedByViewer } from '../../src/domain/post/moderation/is-flagged.ts';
import { builder } from '../builder.ts';
import { Poll } from '../poll/poll.ts';
import { Room } from '../room/room.ts';
import { VideoStream } from '../video-stream/video-stream.ts';
import { Post } from './post.ts';

builder.objectFields(Post, (t) => ({
  poll: t.field({
    type: Poll,
    nullable: true,
    description: 'The poll it shows.',
    resolve: (post, _, context) => pollOfPost(context, post),
  }),
  videoStream: t.field({
    type: VideoStream,
    nullable: true,
    description: 'The live stream it shows.',
    resolve: (post, _, context) => videoStreamOfPost(context, post),
  }),
  room: t.field({
    type: Room,
    nullable: true,
    description: 'The live room it shows.',
    resolve: (post, _, context) => roomOfPost(context, post),
  }),
  isFlaggedByViewer: t.boolean({
    description: 'Whether the viewer flagged it.',
    resolve: (post, _, context) => isPostFlaggedByViewer(context, post),
  }),
}));

builder.queryField('isPostFlagged', (t) =>
  t.boolean({
    description: 'Whether the viewer flagged a post; an error when it is absent or not to be seen.',
    args: { postId: t.arg.string({ required: true, description: 'Public id.' }) },
    resolve: (_, args, context) => isPostFlagged(context, args),
  }),
);
