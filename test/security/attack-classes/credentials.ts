import { type AttackClass, same, socketIoTests, testsIn } from './attack-class.ts';

const pollTests = testsIn('security/polls');
const sessionTests = testsIn('security/sessions');
const ENDED_SESSION_TESTS = testsIn('security/ended-sessions')(
  'ends the WebSockets, event streams and polls of the session within seconds',
);

/** Misuse of keys and tokens. */
export const CREDENTIALS: readonly AttackClass[] = [
  {
    number: 12,
    name: 'A key used for more than it is for',
    advisories: ['GHSA-79wj-8rqv-jvp5', 'GHSA-xfh7-phr7-gr2x'],
    cells: {
      graphql: sessionTests('rejects a wrong server key and the API key when a token is minted'),
      ...same('Takes access tokens only; no key is read.', 'sse', 'websocket', 'files'),
      rest: [
        ...sessionTests('rejects a wrong server key and the API key when a token is minted'),
        ...testsIn('conformance/community-roles')('checks an X-API-Key if there is one; a wrong one changes nothing'),
      ],
      ...same(
        pollTests('requires an access token for polls, and the server key for webhook pulls'),
        'polls',
        'webhooks',
      ),
      mqtt: 'Takes access tokens only; no key is read.',
      'socket.io': 'Takes access tokens only; no key is read.',
    },
  },
  {
    number: 13,
    name: 'Tokens that are forged, of another audience, or outlive their session',
    advisories: ['GHSA-4q3h-vp4r-prv2', 'GHSA-x6fw-778m-wr9v', 'GHSA-5v66-m237-hwf7', 'GHSA-g65h-35f3-x2w3'],
    cells: {
      ...same(
        sessionTests('is rejected when its kind, key, algorithm, audience, issuer or expiry is wrong'),
        'graphql',
        'rest',
      ),
      ...same(ENDED_SESSION_TESTS, 'sse', 'websocket', 'polls'),
      webhooks: 'Pulls take the server key, which is no token; endpoints are managed over GraphQL.',
      files: testsIn('conformance/downloads')(
        'rejects tokens that are forged, expired, of another audience or of a revoked session',
      ),
      mqtt: [
        ...testsIn('realtime/mqtt')(
          'is accepted with an access token, and refused without one, with another, or for another user',
        ),
        ...testsIn('realtime/mqtt')(
          'closes the connection at a logout',
          'sends user.didGlobalBan to a banned user before it closes, and refuses them afterwards',
        ),
      ],
      'socket.io': socketIoTests('without a token, with another, and at the end of the session'),
    },
  },
];
