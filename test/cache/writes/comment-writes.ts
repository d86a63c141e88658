import { mutation } from '../client.ts';
import type { Reply } from '../gateways.ts';
import { type Rights, rightsOf, seesInside } from '../world.ts';
import { change, either, mayChange, nextText, rest, type WriteOperation, whileLive } from './change.ts';
import { idIn, MAX_COMMENTS, newContent, pickLive } from './content.ts';

export const commentWrites: { [name: string]: WriteOperation } = {
  async createsComment(client) {
    const { world, person } = client;
    const post = pickLive(client, world.posts);
    if (!post || post.comments.length >= MAX_COMMENTS) return null;
    const comment = newContent(world, 'comment', person);
    post.comments.push(comment);
    const data = { text: comment.text.latest };
    const call = either(
      client,
      rest('POST', '/api/v3/comments', { referenceType: 'post', referenceId: post.id, data }),
      mutation('createComment', { referenceType: 'POST', referenceId: post.id, data }, 'comment { commentId }'),
    );
    const onDone = (reply: Reply): void => {
      comment.id = idIn(
        reply,
        ({ comments }) => comments[0].commentId,
        (answer) => answer.comment.commentId,
      );
    };
    return change(
      client,
      { changes: [[comment.life, 'live']], call, onDone },
      whileLive({ of: rightsOf(world, person), derive: (...rights: Rights) => seesInside(rights) }, post),
    );
  },

  async editsComment(client) {
    const post = pickLive(client, client.world.posts);
    const comment = post && pickLive(client, post.comments);
    if (!comment || comment.life.isBusy) return null;
    const data = { text: nextText(comment) };
    const call = either(
      client,
      rest('PUT', `/api/v3/comments/${comment.id}`, { data }),
      mutation('updateComment', { commentId: comment.id, data }),
    );
    return change(
      client,
      { changes: [[comment.text, data.text]], call },
      whileLive(whileLive(mayChange(client, comment), post), comment),
    );
  },

  async deletesComment(client) {
    const post = pickLive(client, client.world.posts);
    const comment = post && pickLive(client, post.comments);
    if (!comment) return null;
    const call = either(
      client,
      rest('DELETE', `/api/v4/comments/${comment.id}`),
      mutation('deleteComment', { commentId: comment.id }),
    );
    return change(client, { changes: [[comment.life, 'deleted']], call }, whileLive(mayChange(client, comment), post));
  },
};
