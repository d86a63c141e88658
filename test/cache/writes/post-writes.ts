import { mutation } from '../client.ts';
import type { Reply } from '../gateways.ts';
import { isIn, likeOf, type Post, type Rights, reportOf, rightsOf, seesInside } from '../world.ts';
import { change, either, mayChange, nextText, rest, type WriteOperation, whileLive } from './change.ts';
import { idIn, MAX_POSTS, newContent, pickLive } from './content.ts';

export const postWrites: { [name: string]: WriteOperation } = {
  async createsPost(client) {
    const { world, person } = client;
    if (world.posts.length >= MAX_POSTS) return null;
    const post: Post = { ...newContent(world, 'post', person), comments: [], likes: new Map(), flags: new Map() };
    const { communityId } = world;
    world.posts.push(post);
    const data = { text: post.text.latest };
    const call = either(
      client,
      rest('POST', '/api/v4/posts', { targetType: 'community', targetId: communityId, data }),
      mutation('createPost', { targetType: 'COMMUNITY', targetId: communityId, data }, 'post { postId }'),
    );
    const onDone = (reply: Reply): void => {
      post.id = idIn(
        reply,
        ({ posts }) => posts[0].postId,
        (answer) => answer.post.postId,
      );
    };
    return change(
      client,
      { changes: [[post.life, 'live']], call, onDone },
      {
        of: [person.standing, person.moderatesNetwork],
        derive: (standing, network) => (network ? null : isIn(standing)),
      },
    );
  },

  async editsPost(client) {
    const post = pickLive(client, client.world.posts);
    if (!post || post.life.isBusy) return null;
    const data = { text: nextText(post) };
    const call = either(
      client,
      rest('PUT', `/api/v4/posts/${post.id}`, { data }),
      mutation('updatePost', { postId: post.id, data }),
    );
    return change(client, { changes: [[post.text, data.text]], call }, whileLive(mayChange(client, post), post));
  },

  async deletesPost(client) {
    const { world } = client;
    const post = pickLive(client, world.posts);
    if (!post || world.posts.filter(({ life }) => life.latest === 'live').length < 3) return null;
    const call = either(
      client,
      rest('DELETE', `/api/v4/posts/${post.id}`),
      mutation('deletePost', { postId: post.id }),
    );
    return change(client, { changes: [[post.life, 'deleted']], call }, mayChange(client, post));
  },

  async reacts(client) {
    const { world, person } = client;
    const post = pickLive(client, world.posts);
    if (!post) return null;
    const like = likeOf(post, person);
    const input = { referenceType: 'POST', referenceId: post.id, reactionName: 'like' };
    const { isKnown } = like;
    const isAdding = !like.latest;
    const call = either(
      client,
      rest(isAdding ? 'POST' : 'DELETE', '/api/v2/reactions', { ...input, referenceType: 'post' }),
      mutation(isAdding ? 'addReaction' : 'removeReaction', input),
    );
    return change(
      client,
      { changes: [[like, isAdding]], call },
      // Without a reaction there is nothing to remove.
      whileLive(
        { of: rightsOf(world, person), derive: (...rights: Rights) => (isKnown ? seesInside(rights) : null) },
        post,
      ),
    );
  },

  async flags(client) {
    const { world, person } = client;
    const post = pickLive(client, world.posts);
    if (!post || post.author === person) return null;
    const flag = reportOf(post, person);
    const isAdding = !flag.latest;
    const call = either(
      client,
      isAdding ? rest('POST', `/api/v3/posts/${post.id}/flag`, {}) : rest('DELETE', `/api/v3/posts/${post.id}/unflag`),
      mutation(isAdding ? 'flagPost' : 'unflagPost', { postId: post.id }),
    );
    return change(client, { changes: [[flag, isAdding]], call });
  },
};
