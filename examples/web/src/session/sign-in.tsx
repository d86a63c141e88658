import { type FormEvent, useState } from 'react';
import { useStore } from '../api/store.ts';
import { endReason, signIn } from './session.ts';

/** Users of the sample network. */
const SAMPLE_USERS = ['alice', 'bob', 'carol'];

export function SignIn() {
  const [userId, setUserId] = useState('');
  const [error, setError] = useState<string | null>(null);
  const reason = useStore(endReason);
  async function submit(event: FormEvent) {
    event.preventDefault();
    setError(null);
    await signIn(userId.trim()).catch((failure: Error) => setError(failure.message));
  }
  return (
    <main className="sign-in">
      <form onSubmit={submit}>
        <h1>The Potting Shed</h1>
        <p>Posts and chats of the people who garden together.</p>
        <label>
          Your user id
          <input
            value={userId}
            onChange={(event) => setUserId(event.target.value)}
            list="sample-users"
            autoComplete="username"
            required
          />
        </label>
        <datalist id="sample-users">
          {SAMPLE_USERS.map((id) => (
            <option key={id} value={id} />
          ))}
        </datalist>
        <button type="submit">Sign in</button>
        {(error ?? reason) && <p role="alert">{error ?? reason}</p>}
      </form>
    </main>
  );
}
