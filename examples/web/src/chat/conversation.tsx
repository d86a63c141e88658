import { useApolloClient, useQuery } from '@apollo/client/react';
import { useEffect, useRef } from 'react';
import {
  type ChannelItemFragment,
  ConversationDocument,
  type MessageItemFragment,
} from '../../generated/operations.ts';
import { useStore } from '../api/store.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Composer } from '../ui/composer.tsx';
import { Time } from '../ui/time.tsx';
import { sendMessage, unsent } from './outbox.ts';
import { useReadMarker } from './use-read-marker.ts';

interface ConversationProps {
  channel: ChannelItemFragment;
  viewerId: string;
  onClose(): void;
}

export function Conversation({ channel, viewerId, onClose }: ConversationProps) {
  const client = useApolloClient();
  const messageFeedId = channel.defaultMessageFeedId;
  const { data, fetchMore } = useQuery(ConversationDocument, { variables: { messageFeedId } });
  const pending = useStore(unsent).filter((message) => message.messageFeedId === messageFeedId);
  const connection = data?.messageFeed?.messages;
  const messages = bySegment(connection?.edges.map(({ node }) => node) ?? []);
  const newest = messages.at(-1)?.segment ?? 0;
  useReadMarker(messageFeedId, newest);
  const end = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message scrolls
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' });
  }, [newest, pending.length]);

  async function submit(text: string): Promise<void> {
    sendMessage(client, messageFeedId, text);
  }

  return (
    <section className="conversation" aria-label={channel.displayName}>
      <header>
        <button type="button" className="quiet back" onClick={onClose}>
          Channels
        </button>
        <h2>{channel.displayName || channel.channelId}</h2>
        <span>{channel.memberCount} members</span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <div className="messages" role="log" aria-label="Messages" tabIndex={0}>
        {connection?.pageInfo.hasNextPage && (
          <button
            type="button"
            className="quiet"
            onClick={() => fetchMore({ variables: { after: connection.pageInfo.endCursor } })}
          >
            Earlier messages
          </button>
        )}
        <ol>
          {messages.map((message) => (
            <MessageRow key={message.id} message={message} isOwn={message.userId === viewerId} />
          ))}
          {pending.map(({ key, text }) => (
            <li key={key} className="message own pending">
              <div className="bubble">
                <p className="text">{text}</p>
                <small>Sending…</small>
              </div>
            </li>
          ))}
        </ol>
        <div ref={end} />
      </div>
      <Composer label="Write a message" button="Send" isDisabled={!channel.viewerCanSend} onSubmit={submit} />
    </section>
  );
}

function MessageRow({ message, isOwn }: { message: MessageItemFragment; isOwn: boolean }) {
  if (message.isDeleted) return null;
  const { text = '', caption = '' } = message.data as { text?: string; caption?: string };
  return (
    <li className={isOwn ? 'message own' : 'message'}>
      {!isOwn && <Avatar user={message.author} />}
      <div className="bubble">
        {!isOwn && <strong>{message.author?.displayName}</strong>}
        <p className="text">{text || caption || `(${message.dataType})`}</p>
        <small>
          <Time at={message.createdAt} />
          {isOwn && message.readCount > 0 && ` · read by ${message.readCount}`}
        </small>
      </div>
    </li>
  );
}

/** Messages in the order of their feed: an event may arrive after the answer of a later one. */
function bySegment(messages: readonly MessageItemFragment[]): MessageItemFragment[] {
  return [...messages].sort((one, other) => one.segment - other.segment);
}
