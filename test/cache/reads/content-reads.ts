import { keyOf } from '../observe.ts';
import { moderates, rightsOf, seesInside } from '../world.ts';
import {
  claimListed,
  claimLooksAbsent,
  claimPosts,
  claimVisible,
  listVisibility,
  postVisibility,
  toEverybody,
  toNobody,
} from './claims.ts';
import {
  COMMENT,
  COMMUNITY,
  get,
  MISSING,
  nodesOf,
  POST,
  pickKnown,
  query,
  type Read,
  read,
  USER,
  WHOLE,
} from './query.ts';

export const contentReads: { [name: string]: Read } = {
  async postOverRest(client, options) {
    const post = pickKnown(client, client.world.posts);
    const reply = await read(client, get(`/api/v3/posts/${post?.id ?? MISSING}`), options);
    if (!reply) return;
    if (post) claimVisible(client, reply, post, reply.status === 200);
    if (reply.status !== 200) claimLooksAbsent(client, reply, 'Post');
  },

  async postWithComments(client, options) {
    const post = pickKnown(client, client.world.posts);
    if (!post) return;
    const reply = await read(
      client,
      query(
        `query ($postId: String!) { post(postId: $postId) { ${POST} author { ${USER} } community { ${COMMUNITY} } comments(first: ${WHOLE}) { edges { node { ${COMMENT} author { ${USER} } } } } } }`,
        { postId: post.id },
      ),
      options,
    );
    if (!reply?.body.data) return;
    const found = reply.body.data.post;
    claimVisible(client, reply, post, found !== null);
    if (!found) return;
    const comments = new Set(nodesOf(found.comments).flatMap(({ commentId, data }) => [commentId, keyOf(data?.text)]));
    claimListed(client, reply, {
      what: `comments of ${post.key}`,
      items: post.comments,
      found: comments,
      // The list of a post that is hidden meanwhile may be empty or not.
      isListed: (comment) => {
        const visible = listVisibility(client.world, client.person, comment, reply, toEverybody);
        return postVisibility(client.world, client.person, post, reply).has(false) ? visible.add(false) : visible;
      },
    });
  },

  async posts(client, options) {
    const { world } = client;
    const isRest = client.random.chance(0.5);
    const call = isRest
      ? get(`/api/v5/posts?targetType=community&targetId=${world.communityId}&options[limit]=${WHOLE}`)
      : query(
          `query ($id: String!) { community(communityId: $id) { ${COMMUNITY} posts(first: ${WHOLE}) { edges { node { ${POST} author { ${USER} } } } } } }`,
          { id: world.communityId },
        );
    const reply = await read(client, call, options);
    if (!reply || reply.status === 400) return;
    const list = isRest
      ? (reply.body.posts ?? [])
      : reply.body.data?.community
        ? nodesOf(reply.body.data.community.posts)
        : [];
    claimPosts(client, reply, {
      what: 'posts of the community',
      list,
      showsDeleted: isRest ? moderates : toNobody,
    });
  },

  async contentFeed(client, options) {
    const isRest = client.random.chance(0.3);
    const reply = await read(
      client,
      isRest
        ? get(`/api/v3/content-feeds?options[limit]=${WHOLE}`)
        : query(`{ contentFeed(first: ${WHOLE}) { edges { node { ${POST} author { ${USER} } } } } }`),
      options,
    );
    if (!reply?.body.data) return;
    const { data } = reply.body;
    claimPosts(client, reply, {
      what: 'content feed',
      list: isRest ? data.posts : nodesOf(data.contentFeed),
      showsDeleted: isRest ? moderates : toNobody,
    });
  },

  async search(client, options) {
    const post = pickKnown(client, client.world.posts);
    if (!post) return;
    const reply = await read(
      client,
      query(
        `query ($key: String!) { search(query: $key) { posts(first: 20) { edges { node { post { ${POST} } } } } } }`,
        {
          key: post.key,
        },
      ),
      options,
    );
    if (!reply?.body.data) return;
    const list = nodesOf(reply.body.data.search.posts).map((node) => node.post);
    claimPosts(client, reply, { what: `search for ${post.key}`, list, items: [post] });
  },

  async commentsOverRest(client, options) {
    const post = pickKnown(client, client.world.posts);
    if (post) await read(client, get(`/api/v3/comments?referenceType=post&referenceId=${post.id}`), options);
  },

  async comment(client, options) {
    const post = client.random.pick(client.world.posts);
    const comment = post && pickKnown(client, post.comments);
    if (!comment) return;
    const reply = await read(
      client,
      client.random.chance(0.5)
        ? get(`/api/v3/comments/${comment.id}`)
        : query(`query ($id: String!) { comment(commentId: $id) { ${COMMENT} author { ${USER} } } }`, {
            id: comment.id,
          }),
      options,
    );
    if (!reply) return;
    if (reply.status === 404) claimLooksAbsent(client, reply, 'Comment');
    const isFound = reply.body.data ? reply.body.data.comment !== null : reply.status === 200;
    // Deleted comments and those of deleted posts are shown or not, by rules that other tests check.
    if (isFound)
      client.world.history.derived(reply, `${comment.key}, visible,`, {
        of: rightsOf(client.world, client.person),
        derive: (...rights) => seesInside(rights),
        found: true,
      });
    else
      client.world.history.derived(reply, `${comment.key}, absent,`, {
        of: [...rightsOf(client.world, client.person), comment.life, post.life] as const,
        derive: (isPublic, standing, network, life, postLife) =>
          life !== 'live' || postLife !== 'live' || !seesInside([isPublic, standing, network]),
        found: true,
      });
  },
};
