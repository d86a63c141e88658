import { expect } from 'vitest';
import {
  type CommentModel,
  canSend,
  isBanned,
  isMember,
  MAX_RECORDS,
  type Model,
  moderates,
  PEOPLE,
  type Person,
  type PollModel,
  type PostModel,
  reactionsOf,
  seesPost,
  totalOf,
  unreadOf,
} from './model.ts';
import type { Real } from './real.ts';

const COMMUNITY = `query ($communityId: String!, $messageFeedId: String!) {
  community(communityId: $communityId) {
    membersCount moderatorMemberCount postsCount isJoined needApprovalOnPostCreation viewerCanPost
    publishedFeed { postCount }
    channel { memberCount messageCount viewerCanSend }
    published: posts(first: ${MAX_RECORDS.posts}) { edges { node { ...PostFields } } }
  }
  messageFeed(messageFeedId: $messageFeedId) {
    lastSegment childCount
    messages(first: 100) { edges { node {
      messageId segment isDeleted data editedAt reactionCount reactions myReactions viewerCanEdit viewerCanDelete
    } } }
  }
  viewerFeedMarkers(messageFeedIds: [$messageFeedId]) { readToSegment unreadCount }
}`;

const FRAGMENTS = `
fragment PostFields on Post {
  postId data { text } editedAt reactionsCount reactions myReactions commentsCount flagCount isFlaggedByViewer
  childrenNumber viewerCanEdit viewerCanDelete viewerCanModerate viewerCanComment
  childPosts { poll { status isVoted viewerCanVote answers { voteCount isVotedByUser } } }
  comments(first: ${MAX_RECORDS.comments}) { edges { node { ...CommentFields replies(first: ${MAX_RECORDS.comments}) { edges { node { ...CommentFields } } } } } }
}
fragment CommentFields on Comment {
  commentId isDeleted data editedAt segmentNumber parentId childrenNumber reactionsCount reactions myReactions
  viewerCanEdit viewerCanDelete
}`;

const postsIn = (name: string, feedType: string) => `query ($communityId: String!) {
  community(communityId: $communityId) {
    ${name}: posts(first: ${MAX_RECORDS.posts}, filter: { feedType: ${feedType} }) { edges { node { ...PostFields } } }
  }
} ${FRAGMENTS}`;

// biome-ignore lint/suspicious/noExplicitAny: answers are read freely
type Found = any;

/** Compares every field with the model, as each user sees it. */
export async function compare(model: Model, real: Real): Promise<void> {
  for (const person of PEOPLE) {
    const { communityId, messageFeedId } = real;
    const found = await real.ask<Found>(person, `${COMMUNITY} ${FRAGMENTS}`, { communityId, messageFeedId });
    // One operation for all three lists would exceed the cost limit.
    for (const query of [postsIn('reviewing', 'REVIEWING'), postsIn('declined', 'DECLINED')])
      Object.assign(found.community, (await real.ask<Found>(person, query, { communityId })).community);
    expect(visible(found), person).toEqual(expected(model, real, person));
  }
}

const nodesOf = (connection: Found): Found[] => connection.edges.map((edge: Found) => edge.node);

/** In order of creation; dates only by presence; the viewer's own reactions by name. */
function visible({ community, messageFeed, viewerFeedMarkers }: Found) {
  const { published, reviewing, declined, ...counts } = community;
  return {
    community: counts,
    published: postsOf(published),
    reviewing: postsOf(reviewing),
    declined: postsOf(declined),
    feed: messageFeed && {
      lastSegment: messageFeed.lastSegment,
      childCount: messageFeed.childCount,
      messages: nodesOf(messageFeed.messages)
        .map(contentOf)
        .sort((one, other) => one.segment - other.segment),
    },
    marker: viewerFeedMarkers[0] ?? null,
  };
}

function postsOf(connection: Found) {
  return nodesOf(connection)
    .map(({ comments, ...post }) => ({
      ...contentOf(post),
      comments: nodesOf(comments)
        .flatMap(({ replies, ...comment }: Found) => [comment, ...nodesOf(replies)])
        .map(contentOf)
        .sort((one: Found, other: Found) => one.segmentNumber - other.segmentNumber),
    }))
    .reverse();
}

const contentOf = ({ data, editedAt, myReactions, ...rest }: Found): Found => ({
  ...rest,
  text: data.text ?? null,
  isEdited: editedAt !== null,
  myReactions: [...myReactions].sort(),
});

function expected(model: Model, real: Real, person: Person) {
  const isModerator = moderates(model, person);
  const published = model.posts.filter(({ isDeleted, state }) => !isDeleted && state === 'published').length;
  const memberCount = PEOPLE.filter((one) => isMember(model, one)).length;
  const messageCount = model.messages.filter(({ isDeleted }) => !isDeleted).length;
  return {
    community: {
      membersCount: memberCount,
      moderatorMemberCount: PEOPLE.filter((one) => moderates(model, one)).length,
      postsCount: published,
      isJoined: isMember(model, person),
      needApprovalOnPostCreation: model.isReviewed,
      viewerCanPost: isMember(model, person),
      publishedFeed: { postCount: published },
      channel: { memberCount, messageCount, viewerCanSend: canSend(model, person) },
    },
    published: list('published'),
    reviewing: list('reviewing'),
    declined: list('declined'),
    feed: isBanned(model, person) ? null : feed(),
    marker: isMember(model, person)
      ? { readToSegment: model.read.get(person) ?? 0, unreadCount: unreadOf(model, person) }
      : null,
  };

  /** A list omits deleted records by default. */
  function list(state: PostModel['state']) {
    return model.posts.flatMap((post, place) =>
      !post.isDeleted && post.state === state && seesPost(model, person, post) ? [postOf(post, place)] : [],
    );
  }

  function postOf(post: PostModel, place: number) {
    const { postId, comments } = real.posts[place]!;
    const isOwn = post.author === person;
    return {
      postId,
      text: post.text,
      isEdited: post.isEdited,
      ...reactionsOf(post, person),
      reactionsCount: totalOf(post),
      commentsCount: post.comments.filter(({ isDeleted }) => !isDeleted).length,
      flagCount: post.flags.size,
      isFlaggedByViewer: post.flags.has(person),
      childrenNumber: post.poll ? 1 : 0,
      viewerCanEdit: isModerator || (isOwn && post.state !== 'reviewing'),
      viewerCanDelete: isOwn || isModerator,
      viewerCanModerate: isModerator,
      viewerCanComment: post.state === 'published',
      childPosts: post.poll ? [{ poll: pollOf(post.poll) }] : [],
      comments: post.comments.map((comment, index) => commentOf(post, comment, { index, comments })),
    };
  }

  function pollOf(poll: PollModel) {
    const own = poll.votes.get(person);
    return {
      status: poll.isClosed ? 'CLOSED' : 'OPEN',
      isVoted: own !== undefined,
      viewerCanVote: !poll.isClosed && own === undefined,
      answers: [0, 1].map((answer) => ({
        voteCount: [...poll.votes.values()].filter((chosen) => chosen.includes(answer)).length,
        isVotedByUser: own?.includes(answer) ?? false,
      })),
    };
  }

  function commentOf(
    post: PostModel,
    comment: CommentModel,
    { index, comments }: { index: number; comments: readonly string[] },
  ) {
    const mayChange = !comment.isDeleted && (comment.author === person || isModerator);
    return {
      commentId: comments[index],
      isDeleted: comment.isDeleted,
      text: comment.isDeleted && !isModerator ? null : comment.text,
      isEdited: comment.isEdited,
      segmentNumber: comment.segment,
      parentId: comment.parent === null ? null : comments[comment.parent],
      childrenNumber: post.comments.filter(({ parent, isDeleted }) => parent === index && !isDeleted).length,
      ...reactionsOf(comment, person),
      reactionsCount: totalOf(comment),
      viewerCanEdit: mayChange,
      viewerCanDelete: mayChange,
    };
  }

  function feed() {
    return {
      lastSegment: model.messages.length,
      childCount: messageCount,
      messages: model.messages.map((message, place) => ({
        messageId: real.messages[place],
        segment: message.segment,
        isDeleted: message.isDeleted,
        text: message.isDeleted && !isModerator ? null : message.text,
        isEdited: message.isEdited,
        ...reactionsOf(message, person),
        reactionCount: totalOf(message),
        viewerCanEdit: !message.isDeleted && (isModerator || (message.author === person && canSend(model, person))),
        viewerCanDelete: !message.isDeleted && (isModerator || message.author === person),
      })),
    };
  }
}
