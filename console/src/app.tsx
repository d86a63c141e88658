import { useMemo } from 'react';
import { ViewerDocument } from '../generated/operations.ts';
import { useQuery } from './api/use-query.ts';
import { accessOf } from './session/access.ts';
import { AccessContext } from './session/access-context.ts';
import { RefusedPage } from './session/refused.tsx';
import { useSession } from './session/session-store.ts';
import { SignInPage } from './session/sign-in.tsx';
import { Shell } from './shell.tsx';
import { Notifications } from './ui/notifications.tsx';
import { ErrorState, Loading } from './ui/states.tsx';

/** The sign-in page, or the console of the signed-in user. */
export function App() {
  const { session, notice } = useSession();
  return (
    <>
      {session ? <SignedIn key={session.id} /> : <SignInPage notice={notice} />}
      <Notifications />
    </>
  );
}

function SignedIn() {
  const { data, error, reload } = useQuery(ViewerDocument, {});
  const access = useMemo(() => data && accessOf(data), [data]);
  if (error) return <ErrorState message={error} onRetry={reload} />;
  if (!access) return <Loading />;
  if (!access.hasConsole) return <RefusedPage displayName={access.displayName} />;
  return (
    <AccessContext value={access}>
      <Shell />
    </AccessContext>
  );
}
