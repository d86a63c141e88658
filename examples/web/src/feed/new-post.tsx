import { useApolloClient, useQuery } from '@apollo/client/react';
import { type FormEvent, useRef, useState } from 'react';
import { CommunitiesDocument, CreatePostDocument, type CreatePostInput } from '../../generated/operations.ts';
import { addPost } from '../api/lists.ts';
import { send } from '../api/send.ts';
import { uploadPicture } from '../api/upload.ts';
import { session } from '../session/session.ts';
import { report } from '../ui/notice.tsx';

export function NewPost() {
  const client = useApolloClient();
  const { data } = useQuery(CommunitiesDocument);
  const communities = data?.viewerCommunities.edges.map(({ node }) => node) ?? [];
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [picture, setPicture] = useState<File | null>(null);
  const [altText, setAltText] = useState('');
  const [isSending, setSending] = useState(false);
  const fileField = useRef<HTMLInputElement>(null);
  const communityId = chosen ?? communities[0]?.communityId ?? '';

  async function create(): Promise<void> {
    const fileId = picture && (await uploadPicture(picture, altText));
    const target = communityId
      ? ({ targetType: 'COMMUNITY', targetId: communityId } as const)
      : ({ targetType: 'USER', targetId: session.get()!.user.userId } as const);
    const input: CreatePostInput = { ...target, data: { text: text.trim() } };
    if (fileId) input.attachments = [{ type: 'IMAGE', fileId }];
    const { createPost } = await send(client, CreatePostDocument, input);
    if (createPost.__typename === 'CreatePostPayload') addPost(client.cache, createPost.post);
    setText('');
    setPicture(null);
    setAltText('');
    if (fileField.current) fileField.current.value = '';
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    setSending(true);
    create()
      .catch(report)
      .finally(() => setSending(false));
  }

  return (
    <form className="new-post" onSubmit={submit} aria-label="New post">
      <textarea
        aria-label="What is growing?"
        placeholder="What is growing?"
        rows={3}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="row">
        <select aria-label="Where to post" value={communityId} onChange={(event) => setChosen(event.target.value)}>
          {communities.map((community) => (
            <option key={community.id} value={community.communityId}>
              {community.displayName}
            </option>
          ))}
          <option value="">Your own feed</option>
        </select>
        <input
          ref={fileField}
          type="file"
          aria-label="Picture"
          accept="image/*"
          onChange={(event) => setPicture(event.target.files?.[0] ?? null)}
        />
        <button type="submit" disabled={isSending || (text.trim() === '' && !picture)}>
          {isSending ? 'Posting…' : 'Post'}
        </button>
      </div>
      {picture && (
        <input
          aria-label="What the picture shows"
          placeholder="What the picture shows, for those who cannot see it"
          value={altText}
          onChange={(event) => setAltText(event.target.value)}
        />
      )}
    </form>
  );
}
