import { useEffect, useState } from 'react';
import { LiveEventsDocument, type LiveEventsSubscription } from '../../../generated/operations.ts';
import { subscribe } from '../../api/subscribe.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Table } from '../../ui/connection-table.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

/** Events that remain on the page. */
const KEPT = 200;

type LiveEvent = LiveEventsSubscription['events'];

/** Events that the viewer may see, as they happen, newest first. */
export function EventsPage() {
  const [events, setEvents] = useState<readonly LiveEvent[]>([]);
  const [error, setError] = useState<string | null>(null);
  const [isPaused, setPaused] = useState(false);
  useEffect(() => {
    if (isPaused) return;
    setError(null);
    return subscribe<LiveEventsSubscription>(
      String(LiveEventsDocument),
      {},
      {
        onResult: (result) => setEvents((last) => [result.events, ...last].slice(0, KEPT)),
        onError: setError,
      },
    );
  }, [isPaused]);
  return (
    <Page
      title="Live events"
      about={`The latest ${KEPT} events that you can see, since this page was opened.`}
      actions={
        <>
          <Button onClick={() => setPaused(!isPaused)}>{isPaused ? 'Resume' : 'Pause'}</Button>
          <Button onClick={() => setEvents([])}>Clear</Button>
        </>
      }
    >
      {error && (
        <p className="message" role="alert">
          {error}
        </p>
      )}
      {events.length === 0 ? (
        <EmptyState title={isPaused ? 'Paused.' : 'Waiting for events.'} />
      ) : (
        <Table
          label="Events"
          nodes={events}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Type', cell: ({ type }) => <Badge tone="info">{type}</Badge> },
            { title: 'Actor', cell: ({ actorId }) => actorId ?? <span className="muted">None</span> },
            { title: 'Path', cell: ({ path }) => <code>{path}</code> },
            { title: 'Time', cell: ({ sendTime }) => <Time value={sendTime} /> },
          ]}
        />
      )}
    </Page>
  );
}
