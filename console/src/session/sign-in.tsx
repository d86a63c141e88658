import { type FormEvent, useEffect, useState } from 'react';
import { SignInDocument } from '../../generated/operations.ts';
import { messageOf } from '../api/api-error.ts';
import { execute } from '../api/execute.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { startSession } from './session-store.ts';

const DEVICE_ID = 'colloquy-console';

interface SampleAccounts {
  apiKey: string | null;
  accounts: Array<{ userId: string; displayName: string; description: string; authToken: string }>;
}

interface SignIn {
  apiKey: string;
  userId: string;
  authToken: string;
}

async function signIn({ apiKey, userId, authToken }: SignIn): Promise<void> {
  // One session for each tab: sessions of other users on the same device would end.
  const input = { userId, deviceId: `${DEVICE_ID}-${crypto.randomUUID()}`, authToken: authToken || null };
  const { createSession } = await execute(SignInDocument, { input }, { apiKey });
  if (createSession.__typename !== 'CreateSessionPayload') return;
  const { accessToken, refreshToken, expiresAt } = createSession.session;
  startSession({ accessToken, refreshToken, expiresAt, userId });
}

/** Asks for the key of the network, a user id and the token that the application's server created for the user. */
export function SignInPage({ notice }: { notice: string | null }) {
  const [error, setError] = useState<string | null>(null);
  const [isRunning, setRunning] = useState(false);
  const samples = useSampleAccounts();

  async function start(given: SignIn): Promise<void> {
    setRunning(true);
    setError(null);
    try {
      await signIn(given);
    } catch (failure) {
      setError(messageOf(failure));
      setRunning(false);
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    void start({ apiKey: text('apiKey'), userId: text('userId'), authToken: text('authToken') });
  }

  const message = error ?? notice;
  return (
    <main className="sign-in" id="main">
      <h1>Colloquy console</h1>
      {message && (
        <p className="message" role="alert">
          {message}
        </p>
      )}
      <SampleAccountList samples={samples} isDisabled={isRunning} onChoose={start} />
      <form onSubmit={submit} className="card">
        <h2>Sign in</h2>
        <Field label="API key of the network" name="apiKey" required autoComplete="off" spellCheck={false} />
        <Field label="User id" name="userId" required autoComplete="username" spellCheck={false} />
        <Field
          label="Authentication token"
          name="authToken"
          type="password"
          autoComplete="off"
          hint="Created by your server with mintAuthToken; valid for ten minutes."
        />
        <Button type="submit" look="primary" disabled={isRunning}>
          Sign in
        </Button>
      </form>
    </main>
  );
}

interface SampleAccountListProps {
  samples: SampleAccounts;
  isDisabled: boolean;
  onChoose(signIn: SignIn): Promise<void>;
}

function SampleAccountList({ samples: { apiKey, accounts }, isDisabled, onChoose }: SampleAccountListProps) {
  if (apiKey === null || accounts.length === 0) return null;
  const chosen = new URLSearchParams(location.search).get('account');
  return (
    <section className="card" aria-label="Sample accounts">
      <h2>Sample accounts of this development server</h2>
      <div className="sample-accounts">
        {accounts.map(({ userId, displayName, description, authToken }) => (
          <Button
            key={userId}
            look={chosen === userId ? 'primary' : 'plain'}
            disabled={isDisabled}
            onClick={() => void onChoose({ apiKey, userId, authToken })}
          >
            <strong>{displayName}</strong>
            <small>
              {userId}: {description}
            </small>
          </Button>
        ))}
      </div>
    </section>
  );
}

/** Accounts that a development gateway offers to browsers on its machine; none elsewhere. */
function useSampleAccounts(): SampleAccounts {
  const [samples, setSamples] = useState<SampleAccounts>({ apiKey: null, accounts: [] });
  useEffect(() => {
    fetch('/admin/sample-accounts', { method: 'POST' })
      .then((response) => (response.ok ? response.json() : Promise.reject(new Error(response.statusText))))
      .then(setSamples, () => undefined);
  }, []);
  return samples;
}
