import { ApolloProvider } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { type Connection, connect } from './api/connect.ts';
import { useStore } from './api/store.ts';
import { ChatPage } from './chat/chat-page.tsx';
import { FeedPage } from './feed/feed-page.tsx';
import { endSession, type Session, session } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';
import { Avatar } from './ui/avatar.tsx';
import { Notice } from './ui/notice.tsx';
import { UnreadTotal } from './ui/unread-total.tsx';

const PAGES = { feed: 'Feed', chat: 'Chat' } as const;
type PageName = keyof typeof PAGES;

export function App() {
  const current = useStore(session);
  return current ? <SignedIn key={current.accessToken} session={current} /> : <SignIn />;
}

function SignedIn({ session }: { session: Session }) {
  const [connection, setConnection] = useState<Connection | null>(null);
  useEffect(() => {
    const opened = connect(session);
    setConnection(opened);
    return () => opened.close();
  }, [session]);
  if (!connection) return null;
  return (
    <ApolloProvider client={connection.client}>
      <Shell session={session} connection={connection} />
    </ApolloProvider>
  );
}

function Shell({ session, connection }: { session: Session; connection: Connection }) {
  const [page, setPage] = useState<PageName>('feed');
  const status = useStore(connection.status);
  const isFollowing = useStore(connection.isFollowing);
  return (
    <>
      <header className="bar">
        <h1>The Potting Shed</h1>
        <nav aria-label="Pages">
          {Object.entries(PAGES).map(([name, title]) => (
            <button
              key={name}
              type="button"
              aria-current={page === name ? 'page' : undefined}
              onClick={() => setPage(name as PageName)}
            >
              {title}
              {name === 'chat' && isFollowing && <UnreadTotal />}
            </button>
          ))}
        </nav>
        <div className="me">
          <Avatar user={session.user} />
          <span>{session.user.displayName}</span>
          <button type="button" className="quiet" onClick={() => endSession()}>
            Sign out
          </button>
        </div>
      </header>
      {status === 'offline' && (
        <p className="offline" role="status">
          You are offline. What you write is sent when the connection is back.
        </p>
      )}
      <main>
        {!isFollowing && <p className="empty">Loading…</p>}
        {isFollowing && page === 'feed' && <FeedPage />}
        {isFollowing && page === 'chat' && <ChatPage viewerId={session.user.userId} />}
      </main>
      <Notice />
    </>
  );
}
