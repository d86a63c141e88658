import { expect } from 'vitest';
import {
  countsOf,
  isBanned,
  isMember,
  type Model,
  moderates,
  PEOPLE,
  type Person,
  seesPost,
  totalOf,
  unreadOf,
} from './model.ts';
import type { Real } from './real.ts';

const COMMUNITY = `query ($communityId: String!, $messageFeedId: String!) {
  community(communityId: $communityId) {
    membersCount moderatorMemberCount postsCount isJoined
    channel { memberCount messageCount }
    posts(first: 30) { edges { node {
      postId isDeleted data { text } editedAt reactionsCount reactions myReactions commentsCount flagCount
      childrenNumber
      comments(first: 20) { edges { node { ...Said replies(first: 10) { edges { node { ...Said } } } } } }
    } } }
  }
  messageFeed(messageFeedId: $messageFeedId) {
    lastSegment childCount
    messages(first: 100) { edges { node { messageId segment isDeleted data reactionCount reactions } } }
  }
  viewerFeedMarkers(messageFeedIds: [$messageFeedId]) { readToSegment unreadCount }
}
fragment Said on Comment { commentId isDeleted data segmentNumber parentId childrenNumber reactionsCount reactions }`;

// biome-ignore lint/suspicious/noExplicitAny: answers are read freely
type Found = any;

/** Compares every visible field, as each of the people sees it. */
export async function compare(model: Model, real: Real): Promise<void> {
  for (const person of PEOPLE) {
    const { communityId, messageFeedId } = real;
    const found = await real.ask<Found>(person, COMMUNITY, { communityId, messageFeedId });
    expect(visible(found), person).toEqual(expected(model, real, person));
  }
}

function visible({ community, messageFeed, viewerFeedMarkers }: Found) {
  const nodes = (connection: Found) => connection.edges.map((edge: Found) => edge.node);
  return {
    community: {
      membersCount: community.membersCount,
      moderatorMemberCount: community.moderatorMemberCount,
      postsCount: community.postsCount,
      isJoined: community.isJoined,
    },
    posts: nodes(community.posts)
      .map(({ comments, data, editedAt, ...post }: Found) => ({
        ...post,
        text: data.text,
        isEdited: editedAt !== null,
        comments: nodes(comments)
          .flatMap(({ replies, ...comment }: Found) => [comment, ...nodes(replies)])
          .map(({ data: said, ...comment }: Found) => ({ ...comment, text: said.text ?? null }))
          .sort((one: Found, other: Found) => one.segmentNumber - other.segmentNumber),
      }))
      .reverse(),
    feed: messageFeed && {
      lastSegment: messageFeed.lastSegment,
      childCount: messageFeed.childCount,
      messages: nodes(messageFeed.messages)
        .map(({ data, ...message }: Found) => ({ ...message, text: data.text ?? null }))
        .sort((one: Found, other: Found) => one.segment - other.segment),
    },
    marker: viewerFeedMarkers[0] ?? null,
  };
}

function expected(model: Model, real: Real, person: Person) {
  const live = model.posts.filter(({ isDeleted }) => !isDeleted);
  return {
    community: {
      membersCount: PEOPLE.filter((one) => isMember(model, one)).length,
      moderatorMemberCount: PEOPLE.filter((one) => moderates(model, one)).length,
      postsCount: live.length,
      isJoined: isMember(model, person),
    },
    // A list shows what lives, unless it is asked otherwise.
    posts: model.posts.flatMap((post, index) =>
      !post.isDeleted && seesPost(model, person, post) ? [postOf(index)] : [],
    ),
    feed: isBanned(model, person) ? null : feed(),
    marker: isMember(model, person)
      ? { readToSegment: model.read.get(person) ?? 0, unreadCount: unreadOf(model, person) }
      : null,
  };

  function postOf(index: number) {
    const post = model.posts[index]!;
    const { postId, pollId, comments } = real.posts[index]!;
    return {
      postId,
      isDeleted: post.isDeleted,
      text: post.text,
      isEdited: post.isEdited,
      reactionsCount: totalOf(post),
      reactions: { ...countsOf(post) },
      myReactions: expect.toSatisfy((names: string[]) => {
        const mine = [...post.reactions].filter(([, people]) => people.has(person)).map(([name]) => name);
        return names.length === mine.length && mine.every((name) => names.includes(name));
      }),
      commentsCount: post.comments.filter(({ isDeleted }) => !isDeleted).length,
      flagCount: post.flags.size,
      childrenNumber: pollId === null ? 0 : 1,
      comments: post.comments.map((comment, place) => ({
        commentId: comments[place],
        isDeleted: comment.isDeleted,
        text: comment.isDeleted && !moderates(model, person) ? null : comment.text,
        segmentNumber: comment.segment,
        parentId: comment.parent === null ? null : comments[comment.parent],
        childrenNumber: post.comments.filter(({ parent, isDeleted }) => parent === place && !isDeleted).length,
        reactionsCount: totalOf(comment),
        reactions: { ...countsOf(comment) },
      })),
    };
  }

  function feed() {
    return {
      lastSegment: model.messages.length,
      childCount: model.messages.filter(({ isDeleted }) => !isDeleted).length,
      messages: model.messages.map((message, place) => ({
        messageId: real.messages[place],
        segment: message.segment,
        isDeleted: message.isDeleted,
        text: message.isDeleted && !moderates(model, person) ? null : message.text,
        reactionCount: totalOf(message),
        reactions: { ...countsOf(message) },
      })),
    };
  }
}
