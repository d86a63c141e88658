import { CommentsDocument, NewestPostsDocument } from '../../../generated/operations.ts';
import { ConnectionTable } from '../../ui/connection-table.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { contentColumns } from './content-columns.tsx';
import { commentItem, postItem } from './content-item.ts';

/** The newest posts and comments of the network that the viewer can see. */
export function ContentPage() {
  return (
    <Page title="Content" about="The newest posts and comments that you can see.">
      <Tabs
        label="Kinds of content"
        tabs={[
          ['Posts', <Posts key="posts" />],
          ['Comments', <Comments key="comments" />],
        ]}
      />
    </Page>
  );
}

function Posts() {
  return (
    <ConnectionTable
      label="Posts"
      document={NewestPostsDocument}
      filters={{}}
      connectionOf={({ contentFeed }) => contentFeed}
      keyOf={({ id }) => id}
      empty="There are no posts."
      columns={(reload) => contentColumns(postItem, reload)}
    />
  );
}

function Comments() {
  return (
    <ConnectionTable
      label="Comments"
      document={CommentsDocument}
      filters={{ hasFlag: null }}
      connectionOf={({ comments }) => comments}
      keyOf={({ id }) => id}
      empty="There are no comments."
      columns={(reload) => contentColumns(commentItem, reload)}
    />
  );
}
