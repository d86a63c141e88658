import { useAccess } from '../../session/access-context.ts';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ModerationQueue } from './moderation-queue.tsx';
import { TryText } from './try-text.tsx';

/** Everything that is flagged or awaits review, where the viewer moderates. */
export function ModerationPage() {
  const { canChangeSettings } = useAccess();
  return (
    <Page
      title="Moderation"
      about={
        <>
          What is flagged or awaits review, where you moderate. <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>s</kbd>{' '}
          selects, <kbd>?</kbd> explains all keys.
        </>
      }
    >
      {canChangeSettings ? (
        <Tabs
          label="Parts of the moderation"
          tabs={[
            ['Queue', <ModerationQueue key="queue" />],
            ['Try the rules', <TryText key="rules" />],
          ]}
        />
      ) : (
        <ModerationQueue />
      )}
    </Page>
  );
}
