import { Button } from '../ui/button.tsx';
import { signOut } from './sign-out.ts';

/** For users without a privilege. */
export function RefusedPage({ displayName }: { displayName: string }) {
  return (
    <main className="sign-in" id="main">
      <h1>No access to the console</h1>
      <div className="card">
        <p>
          You are signed in as <strong>{displayName}</strong>, who holds no role that the console serves. An
          administrator can assign you a network-wide role, or make you a moderator of a community or channel.
        </p>
        <Button look="primary" onClick={() => void signOut()}>
          Sign out
        </Button>
      </div>
    </main>
  );
}
