import { expect } from 'vitest';

export interface EndpointOptions {
  url: string;
  /** Access token of an administrator. */
  token: string;
  receiver: { url: string };
  event: string;
}

/** Creates a webhook endpoint and returns its secret. */
export async function createEndpoint({ url, token, receiver, event }: EndpointOptions): Promise<string> {
  const query = `mutation { createWebhookEndpoint(input: { url: "${receiver.url}", events: ["${event}"] }) {
    ... on CreateWebhookEndpointPayload { secret } } }`;
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  });
  const answer = (await response.json()) as { data: { createWebhookEndpoint: { secret: string } } };
  expect(answer).toMatchObject({ data: { createWebhookEndpoint: { secret: expect.any(String) } } });
  return answer.data.createWebhookEndpoint.secret;
}
