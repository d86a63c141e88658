import { expect } from 'vitest';
import type { TestGateway } from './gateway.ts';
import { type Payload, successfulMutations } from './mutate.ts';

export interface MarkedPerson {
  userId: string;
  /** Unique texts in the data that identify the person, which every erasure removes. */
  markers: string[];
  /** Unique texts in what the person wrote, which an erasure removes on request. */
  contentMarkers: string[];
}

/**
 * Fills a person in every collection over the public transports, with a unique text in each field. The person's content is
 * in the community `gardeners`, on their own feed and in a channel with `bob`.
 */
export async function createMarkedPerson(gateway: TestGateway, userId: string): Promise<MarkedPerson> {
  const execute = successfulMutations(gateway);
  const markers: string[] = [];
  const contentMarkers: string[] = [];
  const note = (list: string[], name: string) => {
    const text = `${userId}${name}zq${list.length}`.toLowerCase();
    list.push(text);
    return text;
  };
  const mark = (name: string) => note(markers, name);
  const write = (name: string) => note(contentMarkers, name);
  const act = (operation: string, input: object, select?: string): Promise<Payload> =>
    execute(userId, operation, input, select);

  await gateway.tokenOf(userId);
  const profile = {
    displayName: mark('name'),
    description: mark('description'),
    avatarCustomUrl: `https://example.com/${mark('avatar')}`,
    metadata: { [mark('key')]: mark('metadata') },
  };
  await act('updateUser', { ...profile, clientMutationId: `${userId}-own` });
  await addDevice(gateway, userId, { deviceId: mark('device'), token: mark('push') });
  const fileId = await uploadFile(gateway, userId, { name: mark('file'), text: mark('bytes') });
  await act('updateFile', { fileId, altText: mark('alternative') });
  await act('joinCommunity', { communityId: 'gardeners' });
  const chat = { displayName: 'Chat', userIds: [userId] };
  const { channel } = await execute('bob', 'createChannel', chat, 'channel { channelId }');
  const { channelId } = channel;
  await act('followUser', { userId: 'bob' });
  await act('blockUser', { userId: 'kim' });

  const { post } = await act(
    'createPost',
    {
      targetType: 'COMMUNITY',
      targetId: 'gardeners',
      data: { text: `${write('post')} #${write('hashtag')}`, title: write('title') },
      metadata: { note: write('postMetadata') },
      tags: [write('tag')],
    },
    'post { postId }',
  );
  const { postId } = post;
  await act('createPost', { targetType: 'USER', targetId: userId, data: { text: write('feed') } }, 'post { postId }');
  const { comment } = await act(
    'createComment',
    { referenceId: postId, data: { text: write('comment') }, metadata: { note: write('commentMetadata') } },
    'comment { commentId }',
  );
  await act('createComment', { referenceId: 'seedlings', data: { text: write('elsewhere') } });
  await act('createStory', {
    targetType: 'USER',
    targetId: userId,
    dataType: 'TEXT',
    data: { text: write('story') },
    metadata: { note: write('storyMetadata') },
  });
  const { chatMessage } = await act(
    'sendMessage',
    {
      channelId,
      data: { text: write('message') },
      metadata: { note: write('messageMetadata') },
      referenceId: write('reference'),
    },
    'chatMessage { messageId }',
  );
  await act('createPoll', { question: write('question'), answers: [{ data: write('yes') }, { data: write('no') }] });
  await act('createVideoStream', { title: write('stream'), description: write('streamDescription') });
  await act('createRoom', {
    targetType: 'USER',
    targetId: userId,
    title: write('room'),
    metadata: { a: write('hall') },
  });

  const theirs = await execute(
    'bob',
    'sendMessage',
    { channelId, data: { text: 'Hello' } },
    'chatMessage { messageId }',
  );
  const reaction = { referenceId: theirs.chatMessage.messageId, referenceType: 'MESSAGE', reactionName: 'like' };
  await act('addReaction', reaction);
  await act('flagUser', { userId: 'kim', detail: mark('flagBy') });
  await execute('bob', 'flagUser', { userId, detail: mark('flagAbout') });
  await execute('bob', 'flagPost', { postId, detail: mark('flagPost'), clientMutationId: `${userId}-flagged` });
  await execute('bob', 'flagComment', { commentId: comment.commentId, detail: mark('flagComment') });
  await execute('bob', 'flagMessage', { messageId: chatMessage.messageId, detail: mark('flagMessage') });
  await execute('admin', 'updateUser', { userId, description: mark('edited'), clientMutationId: `${userId}-edited` });
  await execute('admin', 'createPost', { targetType: 'USER', targetId: 'admin', data: { text: 'Unrelated' } });
  return { userId, markers, contentMarkers };
}

async function addDevice(
  { url, keys }: TestGateway,
  userId: string,
  { deviceId, token }: { deviceId: string; token: string },
): Promise<void> {
  const post = async (query: string, variables: object) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': keys.API_KEY },
      body: JSON.stringify({ query, variables }),
    });
    expect(await response.json()).not.toHaveProperty('errors');
  };
  await post('mutation ($input: CreateSessionInput!) { createSession(input: $input) { __typename } }', {
    input: { userId, deviceId },
  });
  await post('mutation ($input: RegisterPushDeviceInput!) { registerPushDevice(input: $input) { __typename } }', {
    input: { userId, deviceId, platform: 'IOS', token },
  });
}

async function uploadFile(
  gateway: TestGateway,
  userId: string,
  { name, text }: { name: string; text: string },
): Promise<string> {
  const form = new FormData();
  form.append('files', new Blob([text], { type: 'text/plain' }), `${name}.txt`);
  const headers = { authorization: `Bearer ${await gateway.tokenOf(userId)}` };
  const response = await fetch(`${gateway.url}/api/v4/files`, { method: 'POST', body: form, headers });
  const [file] = (await response.json()) as Array<{ fileId: string }>;
  return file!.fileId;
}
