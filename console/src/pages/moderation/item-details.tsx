import { ModerationDetailsDocument, type ModerationDetailsQuery } from '../../../generated/operations.ts';
import { useQuery } from '../../api/use-query.ts';
import { Link, pathOf } from '../../router.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { Person } from '../../ui/person.tsx';
import { QueryView } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { DECISIONS, type Decision } from './decisions.ts';
import { type QueueItem, textOf } from './queue-item.ts';

interface ItemDetailsProps {
  item: QueueItem;
  onDecide(decision: Decision): void;
}

/** The current item: its whole text, the flags, the history of its author, and the decisions that apply. */
export function ItemDetails({ item, onDecide }: ItemDetailsProps) {
  const { kind, itemId, content, author, community, channel, createdAt } = item;
  const query = useQuery(ModerationDetailsDocument, { kind, itemId });
  return (
    <Card title="Current item">
      <p className="actions">
        <Person person={author} /> <Time value={createdAt} />
        {community && <Link href={pathOf('communities', community.communityId)}>{community.displayName}</Link>}
        {channel && <Link href={pathOf('channels', channel.channelId)}>{channel.displayName || 'A conversation'}</Link>}
      </p>
      <p className="queue-text">{textOf(content)}</p>
      <QueryView query={query}>
        {({ moderationItem }) => (moderationItem ? <Details details={moderationItem} /> : <p>It is resolved.</p>)}
      </QueryView>
      <div className="actions">
        {DECISIONS.filter((decision) => decision.appliesTo(item)).map((decision) => (
          <Button
            key={decision.action}
            className="small"
            look={decision.isDanger ? 'danger' : 'plain'}
            onClick={() => onDecide(decision)}
          >
            {decision.label} <kbd>{decision.key}</kbd>
          </Button>
        ))}
      </div>
    </Card>
  );
}

type DetailsOfItem = NonNullable<ModerationDetailsQuery['moderationItem']>;

function Details({ details: { authorHistory, flags, parent } }: { details: DetailsOfItem }) {
  const { removals, bans } = authorHistory;
  return (
    <>
      {parent && (
        <p className="muted clip">
          {parent.__typename}: {textOf(parent)}
        </p>
      )}
      <p className="actions">
        <span className="muted">The author before:</span>
        <Badge {...(removals > 0 && { tone: 'warning' as const })}>Removals: {removals}</Badge>
        <Badge {...(authorHistory.flags > 0 && { tone: 'warning' as const })}>Flags: {authorHistory.flags}</Badge>
        <Badge {...(bans > 0 && { tone: 'bad' as const })}>Bans: {bans}</Badge>
      </p>
      <ul className="plain-list">
        {flags.edges.map(({ node: { reason, detail, user, updatedAt } }) => (
          <li key={user?.userId ?? updatedAt} className="actions">
            <Badge tone="warning">{reason.replaceAll('_', ' ').toLowerCase()}</Badge>
            {detail && <span>{detail}</span>}
            <Person person={user} /> <Time value={updatedAt} />
          </li>
        ))}
      </ul>
    </>
  );
}
