import type { FormEvent } from 'react';
import {
  NetworkSettingsDocument,
  type NetworkSettingsQuery,
  UpdateSocialSettingsDocument,
} from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { useAction } from '../../api/use-action.ts';
import { useQuery } from '../../api/use-query.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryView } from '../../ui/states.tsx';

/** What the global feed can contain. */
const FEED_PARTS = [
  ['showMyPost', 'Posts on the feed of the user'],
  ['showCommunityPost', 'Posts of communities that the user joined'],
  ['showFollowingPost', 'Posts on the feeds of followed users'],
  ['showEveryonePost', 'All posts that the user sees'],
] as const;

type Settings = NetworkSettingsQuery['networkSettings'];

/** Who reads profiles, and what the global feed contains. */
export function FeedSettings() {
  const query = useQuery(NetworkSettingsDocument, {});
  return (
    <QueryView query={query}>
      {({ networkSettings }) => (
        <>
          <SocialForm key={JSON.stringify(networkSettings.social)} settings={networkSettings} onDone={query.reload} />
          <OtherSettings settings={networkSettings} />
        </>
      )}
    </QueryView>
  );
}

function SocialForm({ settings: { social }, onDone }: { settings: Settings; onDone(): void }) {
  const { isRunning, run } = useAction();
  const feed = (social.globalFeed ?? {}) as Record<string, boolean>;
  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const input = {
      userPrivacySetting: values.has('isPrivate') ? ('PRIVATE' as const) : ('PUBLIC' as const),
      globalFeed: Object.fromEntries(FEED_PARTS.map(([name]) => [name, values.has(name)])),
    };
    if (await run(() => execute(UpdateSocialSettingsDocument, { input }), 'The settings are saved.')) onDone();
  }
  return (
    <Card>
      <form className="form" onSubmit={(event) => void submit(event)}>
        <fieldset>
          <legend>Profiles</legend>
          <Checkbox name="isPrivate" isChecked={social.userPrivacySetting === 'private'}>
            Only followers and moderators read the feed of a user, who approves followers
          </Checkbox>
        </fieldset>
        <fieldset>
          <legend>The global feed contains</legend>
          {FEED_PARTS.map(([name, text]) => (
            <Checkbox key={name} name={name} isChecked={feed[name] === true}>
              {text}
            </Checkbox>
          ))}
        </fieldset>
        <Button type="submit" look="primary" disabled={isRunning}>
          Save settings
        </Button>
      </form>
    </Card>
  );
}

interface CheckboxProps {
  name: string;
  isChecked: boolean;
  children: string;
}

function Checkbox({ name, isChecked, children }: CheckboxProps) {
  return (
    <label className="actions">
      <input type="checkbox" name={name} defaultChecked={isChecked} /> {children}
    </label>
  );
}

function OtherSettings({ settings: { chat, webhook, deepLinks } }: { settings: Settings }) {
  return (
    <Card title="Other settings">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{JSON.stringify({ chat, webhook, deepLinks }, null, 2)}</pre>
    </Card>
  );
}
