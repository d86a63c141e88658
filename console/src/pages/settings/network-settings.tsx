import type { FormEvent } from 'react';
import {
  NetworkSettingsDocument,
  type NetworkSettingsQuery,
  UpdateNetworkSettingsDocument,
} from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { useAction } from '../../api/use-action.ts';
import { useQuery } from '../../api/use-query.ts';
import { Button } from '../../ui/button.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryView } from '../../ui/states.tsx';
import { inputOf, SETTING_GROUPS, settingOf } from './setting-groups.ts';

type Settings = NetworkSettingsQuery['networkSettings'];

/** Every setting of the network. */
export function NetworkSettings() {
  const query = useQuery(NetworkSettingsDocument, {});
  return (
    <QueryView query={query}>
      {({ networkSettings }) => (
        <SettingsForm key={JSON.stringify(networkSettings)} settings={networkSettings} onDone={query.reload} />
      )}
    </QueryView>
  );
}

function SettingsForm({ settings, onDone }: { settings: Settings; onDone(): void }) {
  const { isRunning, run } = useAction();
  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const save = () => execute(UpdateNetworkSettingsDocument, { input: inputFrom(values) });
    if (await run(save, 'The settings are saved.')) onDone();
  }
  return (
    <Card>
      <form className="form" onSubmit={(event) => void submit(event)}>
        <fieldset>
          <legend>Profiles</legend>
          <Checkbox name="isPrivate" isChecked={settings.social.userPrivacySetting === 'private'}>
            Only followers and moderators read the feed of a user, who approves followers
          </Checkbox>
        </fieldset>
        {SETTING_GROUPS.map(({ title, hint, settings: names }) => (
          <fieldset key={title}>
            <legend>{title}</legend>
            {hint && <p className="muted">{hint}</p>}
            {names.map(([name, label]) => (
              <Checkbox key={name} name={name} isChecked={settingOf(settings, name) === true}>
                {label}
              </Checkbox>
            ))}
          </fieldset>
        ))}
        <DeepLinks deepLinks={settings.deepLinks} />
        <Button type="submit" look="primary" disabled={isRunning}>
          Save settings
        </Button>
      </form>
    </Card>
  );
}

function DeepLinks({ deepLinks: { domain, patterns } }: Pick<Settings, 'deepLinks'>) {
  return (
    <fieldset>
      <legend>Addresses that open records in the application</legend>
      <Field
        label="Domain"
        name="domain"
        maxLength={253}
        autoComplete="off"
        placeholder="app.example.com"
        defaultValue={domain as string}
      />
      <TextArea
        label="Paths by kind of record"
        name="patterns"
        rows={4}
        hint='An object as JSON, such as {"post": "/post/{postId}"}'
        defaultValue={JSON.stringify(patterns, null, 2)}
      />
    </fieldset>
  );
}

/** @throws for paths that are no object */
function inputFrom(values: FormData) {
  const names = SETTING_GROUPS.flatMap(({ settings }) => settings.map(([name]) => name));
  return inputOf([
    ...names.map((name) => [name, values.has(name)] as const),
    ['social.userPrivacySetting', values.has('isPrivate') ? 'PRIVATE' : 'PUBLIC'],
    ['deepLinks.domain', String(values.get('domain')).trim()],
    ['deepLinks.patterns', parsedPatterns(String(values.get('patterns')))],
  ]);
}

function parsedPatterns(text: string): unknown {
  try {
    return JSON.parse(text.trim() || '{}');
  } catch {
    throw new Error('The paths are not valid JSON.');
  }
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
