import { CommentsDocument, FlaggedPostsDocument } from '../../../generated/operations.ts';
import { useQuery } from '../../api/use-query.ts';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { commentItem, postItem } from './content-item.ts';
import { ModerationQueue } from './moderation-queue.tsx';

/** Items that are loaded together; resolving them loads the next ones. */
const BATCH = { first: 50 };

/** Flagged posts and comments that the viewer moderates. */
export function ModerationPage() {
  return (
    <Page
      title="Moderation"
      about={
        <>
          Flagged content that you moderate. <kbd>j</kbd> and <kbd>k</kbd> select, <kbd>c</kbd> clears flags,{' '}
          <kbd>x</kbd> deletes, <kbd>?</kbd> explains.
        </>
      }
    >
      <Tabs
        label="Kinds of flagged content"
        tabs={[
          ['Posts', <FlaggedPosts key="posts" />],
          ['Comments', <FlaggedComments key="comments" />],
        ]}
      />
    </Page>
  );
}

function FlaggedPosts() {
  const query = useQuery(FlaggedPostsDocument, BATCH);
  return (
    <QueryView query={query}>
      {({ contentFeed: { edges } }) => (
        <ModerationQueue items={edges.map(({ node }) => postItem(node))} onChange={query.reload} />
      )}
    </QueryView>
  );
}

function FlaggedComments() {
  const query = useQuery(CommentsDocument, { ...BATCH, hasFlag: true });
  return (
    <QueryView query={query}>
      {({ comments: { edges } }) => (
        <ModerationQueue items={edges.map(({ node }) => commentItem(node))} onChange={query.reload} />
      )}
    </QueryView>
  );
}
