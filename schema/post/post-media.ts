import { pollOfPost } from '../../src/domain/poll/get-poll.ts';
import { isPostFlagged, isPostFlaggedByViewer } from '../../src/domain/post/moderation/flag-post.ts';
import { roomOfPost } from '../../src/domain/room/get-room.ts';
import { videoStreamOfPost } from '../../src/domain/video-stream/get-video-stream.ts';
import { builder } from '../builder.ts';
import { Poll } from '../poll/poll.ts';
import { Room } from '../room/room.ts';
import { VideoStream } from '../video-stream/video-stream.ts';
import { Post } from './post.ts';

builder.objectFields(Post, (t) => ({
  poll: t.field({
    type: Poll,
    nullable: true,
    description: 'The poll of the post.',
    resolve: (post, _, context) => pollOfPost(context, post),
  }),
  videoStream: t.field({
    type: VideoStream,
    nullable: true,
    description: 'The video stream of the post.',
    resolve: (post, _, context) => videoStreamOfPost(context, post),
  }),
  room: t.field({
    type: Room,
    nullable: true,
    description: 'The room of the post.',
    resolve: (post, _, context) => roomOfPost(context, post),
  }),
  isFlaggedByViewer: t.boolean({
    description: 'Whether the viewer has flagged it.',
    resolve: (post, _, context) => isPostFlaggedByViewer(context, post),
  }),
}));

builder.queryField('isPostFlagged', (t) =>
  t.boolean({
    description: 'Whether the viewer has flagged a post. `NOT_FOUND` if it does not exist or the viewer cannot see it.',
    args: { postId: t.arg.string({ required: true, description: 'Public id of the post.' }) },
    resolve: (_, args, context) => isPostFlagged(context, args),
  }),
);
