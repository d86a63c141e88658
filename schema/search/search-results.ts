import type { ObjectRef } from '@pothos/core';
import type { SearchHit } from '../../src/domain/search/search-page.ts';
import type { MessageRecord } from '../../src/store/records/chat.ts';
import type { CommunityRecord } from '../../src/store/records/community.ts';
import type { PostRecord } from '../../src/store/records/content.ts';
import type { UserRecord } from '../../src/store/records/user.ts';
import { builder, type SchemaTypes } from '../builder.ts';
import { Community } from '../community/community.ts';
import { Message } from '../message/message.ts';
import { Post } from '../post/post.ts';
import { connectionType } from '../shared/connection-type.ts';
import { User } from '../user/user.ts';

type Types = PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>;

const SCORE = 'How well the record matches, from 0 to 1; `Search` describes it.';

export const PostSearchResult = builder.objectRef<SearchHit<PostRecord>>('PostSearchResult').implement({
  description: 'A post that a search found.',
  fields: (t) => ({
    postId: t.string({ description: 'Public id of the post.', resolve: ({ record }) => record.postId }),
    score: t.exposeFloat('score', { description: SCORE }),
    post: t.field({ type: Post, description: 'The post.', resolve: ({ record }) => record }),
  }),
});

export const CommunitySearchResult = builder.objectRef<SearchHit<CommunityRecord>>('CommunitySearchResult').implement({
  description: 'A community that a search found.',
  fields: (t) => ({
    communityId: t.string({ description: 'Public id of the community.', resolve: ({ record }) => record.communityId }),
    score: t.exposeFloat('score', { description: SCORE }),
    community: t.field({ type: Community, description: 'The community.', resolve: ({ record }) => record }),
  }),
});

export const UserSearchResult = builder.objectRef<SearchHit<UserRecord>>('UserSearchResult').implement({
  description: 'A user that a search found.',
  fields: (t) => ({
    userId: t.string({ description: 'Public id of the user.', resolve: ({ record }) => record.userId }),
    score: t.exposeFloat('score', { description: SCORE }),
    user: t.field({ type: User, description: 'The user.', resolve: ({ record }) => record }),
  }),
});

export const MessageSearchResult = builder.objectRef<SearchHit<MessageRecord>>('MessageSearchResult').implement({
  description: 'A message that a search found.',
  fields: (t) => ({
    messageId: t.string({ description: 'Public id of the message.', resolve: ({ record }) => record.messageId }),
    score: t.exposeFloat('score', { description: SCORE }),
    message: t.field({ type: Message, description: 'The message.', resolve: ({ record }) => record }),
  }),
});

const results = <Record extends object>(type: ObjectRef<Types, Record>) => connectionType(type, 'search results');

export const PostSearchResults = results(PostSearchResult);
export const CommunitySearchResults = results(CommunitySearchResult);
export const UserSearchResults = results(UserSearchResult);
export const MessageSearchResults = results(MessageSearchResult);
