import { useState } from 'react';
import {
  CommentsDocument,
  FlaggedPostsDocument,
  PostsInReviewDocument,
  ReviewedCommunitiesDocument,
} from '../../../generated/operations.ts';
import { useQuery } from '../../api/use-query.ts';
import { Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, QueryView } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ConnectionQueue } from './connection-queue.tsx';
import { commentItem, postItem } from './content-item.ts';

/** Flagged posts and comments that the viewer moderates, and posts that await review. */
export function ModerationPage() {
  return (
    <Page
      title="Moderation"
      about={
        <>
          Content that you moderate. <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>s</kbd> selects, <kbd>?</kbd> explains all
          keys.
        </>
      }
    >
      <Tabs
        label="Kinds of content to moderate"
        tabs={[
          ['Flagged posts', <FlaggedPosts key="posts" />],
          ['Flagged comments', <FlaggedComments key="comments" />],
          ['Posts in review', <PostsInReview key="review" />],
        ]}
      />
    </Page>
  );
}

function FlaggedPosts() {
  return (
    <ConnectionQueue
      document={FlaggedPostsDocument}
      filters={{}}
      connectionOf={({ contentFeed }) => contentFeed}
      toItem={postItem}
    />
  );
}

function FlaggedComments() {
  return (
    <ConnectionQueue
      document={CommentsDocument}
      filters={{ hasFlag: true }}
      connectionOf={({ comments }) => comments}
      toItem={commentItem}
    />
  );
}

/** Communities list their posts in review one at a time. */
function PostsInReview() {
  const query = useQuery(ReviewedCommunitiesDocument, {});
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <QueryView query={query}>
      {({ communities: { edges } }) => {
        const reviewed = edges
          .map(({ node }) => node)
          .filter(({ needApprovalOnPostCreation }) => needApprovalOnPostCreation);
        const communityId = chosen ?? reviewed[0]?.communityId;
        if (communityId === undefined) return <EmptyState title="No community reviews its posts." />;
        return (
          <>
            <div className="toolbar">
              <Select
                label="Community"
                options={reviewed.map((community) => [community.communityId, community.displayName] as const)}
                value={communityId}
                onChange={setChosen}
              />
            </div>
            <ConnectionQueue
              document={PostsInReviewDocument}
              filters={{ communityId }}
              connectionOf={({ posts }) => posts}
              toItem={postItem}
            />
          </>
        );
      }}
    </QueryView>
  );
}
