import type { Config } from '../config.ts';
import { allowsLocalPages } from '../http/allowed-origins.ts';
import type { Prepared } from './prepare-store.ts';
import type { Started } from './start.ts';

/** The text that a development gateway prints when it is ready: its addresses, its keys and commands to paste. */
export function banner({
  url,
  keys,
  filled,
  refusedKeys,
  config,
}: Pick<Started, 'url' | 'keys'> & Prepared & { config: Config }): string {
  // A key from the environment may be a production secret, and this text ends up in logs.
  const givenServerKey = config.SERVER_KEY === undefined ? keys.SERVER_KEY : 'as set in SERVER_KEY';
  const serverKey = refusedKeys.includes('SERVER_KEY') ? REFUSED : givenServerKey;
  const isRefused = refusedKeys.includes('API_KEY');
  const examples = isRefused ? '' : examplesFor(url, keys);
  const browsers = allowsLocalPages(config)
    ? '\n  Browsers   pages of localhost on any port may call the API; CORS_ORIGINS allows others'
    : '';
  return `
Colloquy listens on ${url}${filled ? ', with the sample network' : ''}.

  GraphiQL   ${url}/graphql
  REST       ${url}/docs
  API key    ${isRefused ? REFUSED : keys.API_KEY}
  Server key ${serverKey}${browsers}
${examples}`;
}

const REFUSED = 'refused, because it was rotated or retired: the log says what to do';

/** Commands to paste. */
function examplesFor(url: string, keys: Started['keys']): string {
  return `
Try:

  TOKEN=$(curl -s ${url}/api/v5/sessions -H 'X-API-Key: ${keys.API_KEY}' \\
    -H 'Content-Type: application/json' -d '{"userId":"alice","deviceId":"try#1"}' | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')

  curl -s ${url}/api/v3/posts/seedlings -H "Authorization: Bearer $TOKEN"

  curl -s ${url}/graphql -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
    -d '{"query":"{ viewer { displayName } post(postId: \\"seedlings\\") { data { text } latestComments { data author { displayName } } } }"}'
`;
}
