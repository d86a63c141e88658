import { Link, pathOf } from '../../router.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import type { Column } from '../../ui/connection-table.tsx';
import { Person } from '../../ui/person.tsx';
import { Time } from '../../ui/time.tsx';
import { ACTS } from './acts.ts';
import type { ContentItem } from './content-item.ts';

/** The columns of lists of content. @param toItem converts a record of the list */
export function contentColumns<Node>(
  toItem: (node: Node) => ContentItem,
  reload: () => void,
): ReadonlyArray<Column<Node>> {
  return [
    { title: 'Text', cell: (node) => <span className="clip">{toItem(node).text}</span> },
    { title: 'Author', cell: (node) => <Person person={toItem(node).author} /> },
    { title: 'Community', cell: (node) => <CommunityLink item={toItem(node)} /> },
    { title: 'Flags', cell: (node) => <FlagCount item={toItem(node)} /> },
    { title: 'Created', cell: (node) => <Time value={toItem(node).createdAt} /> },
    { title: 'Actions', isEnd: true, cell: (node) => <ContentActions item={toItem(node)} onDone={reload} /> },
  ];
}

function CommunityLink({ item: { community } }: { item: ContentItem }) {
  if (!community) return null;
  return <Link href={pathOf('communities', community.communityId)}>{community.displayName}</Link>;
}

function FlagCount({ item: { flagCount } }: { item: ContentItem }) {
  return flagCount > 0 ? <Badge tone="warning">{flagCount}</Badge> : null;
}

/** A button for each act that the viewer may take. */
export function ContentActions({ item, onDone }: { item: ContentItem; onDone(): void }) {
  const kind = item.kind.toLowerCase();
  return (
    <div className="actions">
      {ACTS.map(({ name, label, done, consequence, isDanger }) => {
        const act = item[name];
        return (
          act && (
            <ConfirmButton
              key={name}
              label={label}
              isSmall
              isDanger={isDanger}
              title={`${label}: this ${kind}?`}
              success={`The ${kind} is ${done}.`}
              act={act}
              onDone={onDone}
            >
              {consequence}
            </ConfirmButton>
          )
        );
      })}
    </div>
  );
}
