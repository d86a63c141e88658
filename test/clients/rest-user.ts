import { image } from './media.ts';

/** A JSON object of the interface. */
// biome-ignore lint/suspicious/noExplicitAny: responses are read by field name and compared in assertions.
export type Json = any;

export interface Call {
  method?: string;
  query?: Record<string, string | number | boolean>;
  body?: object | undefined;
}

/** A user who calls the REST interface without a client library, and changes what the application displays. */
export class RestUser {
  readonly url: string;
  readonly userId: string;
  readonly token: string;
  /** The user's own record. */
  readonly record: Json;

  private constructor(url: string, userId: string, session: Json) {
    this.url = url;
    this.userId = userId;
    this.token = session.accessToken;
    this.record = session.users.find((user: Json) => user.userId === userId);
  }

  /** @param serverKey mints the token that users with a role in the network need */
  static async login(url: string, apiKey: string, userId: string, serverKey?: string): Promise<RestUser> {
    const authToken = serverKey === undefined ? undefined : await authTokenOf(url, serverKey, userId);
    const response = await fetch(`${url}/api/v5/sessions`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ userId, deviceId: `device-of-${userId}`, displayName: userId, authToken }),
    });
    if (!response.ok) throw new Error(`No session for ${userId}: ${response.status} ${await response.text()}`);
    return new RestUser(url, userId, await response.json());
  }

  /** Calls a path, and throws for a response that is no success. */
  async call(path: string, { method = 'GET', query = {}, body }: Call = {}): Promise<Json> {
    const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const response = await fetch(`${this.url}${path}?${parameters}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${this.userId}: ${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
    return text === '' ? null : JSON.parse(text);
  }

  post(path: string, body?: object): Promise<Json> {
    return this.call(path, { method: 'POST', body });
  }

  put(path: string, body?: object): Promise<Json> {
    return this.call(path, { method: 'PUT', body });
  }

  delete(path: string, body?: object): Promise<Json> {
    return this.call(path, { method: 'DELETE', body });
  }

  async graphql(query: string, variables: object = {}): Promise<Json> {
    const { data, errors } = await this.post('/graphql', { query, variables });
    if (errors) throw new Error(`${this.userId}: ${errors[0].message}`);
    return data;
  }

  /** Uploads an image. @returns its id */
  async uploadImage(): Promise<string> {
    const headers = { authorization: `Bearer ${this.token}` };
    const response = await fetch(`${this.url}/api/v4/images`, { method: 'POST', headers, body: image() });
    return ((await response.json()) as Json)[0].fileId;
  }

  async createCommunity(fields: object = {}): Promise<Json> {
    const { communities } = await this.post('/api/v3/communities', {
      displayName: 'Harbour',
      isPublic: true,
      ...fields,
    });
    return communities[0];
  }

  async createPost(targetType: string, targetId: string, text: string, fields: object = {}): Promise<Json> {
    const { posts } = await this.post('/api/v4/posts', { targetType, targetId, data: { text }, ...fields });
    return posts[0];
  }

  async createComment(referenceType: string, referenceId: string, text: string, fields: object = {}): Promise<Json> {
    const { comments } = await this.post('/api/v3/comments', { referenceType, referenceId, data: { text }, ...fields });
    return comments[0];
  }

  async createChannel(fields: object = {}): Promise<Json> {
    const { channels } = await this.post('/api/v3/channels', { type: 'community', displayName: 'Quay', ...fields });
    return channels[0];
  }

  /** The feed of a channel that exists from the beginning. */
  async firstFeed(channel: Json): Promise<Json> {
    const { messageFeeds } = await this.call(`/api/v5/message-feeds/channel/${channel.channelInternalId}`);
    return messageFeeds[0];
  }

  async sendMessage(messageFeedId: string, text: string, fields: object = {}): Promise<Json> {
    const body = { messageFeedId, dataType: 'text', data: { text }, ...fields };
    const { messages } = await this.post('/api/v5/messages', body);
    return messages[0];
  }
}

async function authTokenOf(url: string, serverKey: string, userId: string): Promise<string> {
  const response = await fetch(`${url}/api/v4/authentication/token`, {
    method: 'POST',
    headers: { 'x-server-key': serverKey, 'content-type': 'application/json' },
    body: JSON.stringify({ userId }),
  });
  return (await response.json()) as string;
}
