import { type AttackClass, SAME_OPERATIONS, same, testsIn } from './attack-class.ts';

const addressGuardTests = testsIn('webhooks/address-guard');
const endpointTests = testsIn('webhooks/endpoints');

const linkPreviewTests = testsIn('conformance/link-preview')(
  'rejects an address that is not public: %s',
  'refuses names and redirects that lead into a private network',
);

const NO_URL = 'Requests no URL that a client names.';

/** Requests that the gateway sends, for webhooks and for link previews. */
export const WEBHOOKS: readonly AttackClass[] = [
  {
    number: 24,
    name: 'Requests to internal addresses',
    advisories: ['GHSA-hhfx-5x8j-f5f6', 'GHSA-6r7f-q7f5-wpx8', 'GHSA-3f5f-xgrj-97pf', 'GHSA-p9ff-j98v-p435'],
    cells: {
      ...same(linkPreviewTests, 'graphql', 'rest'),
      ...same(SAME_OPERATIONS, 'sse', 'websocket'),
      ...same(NO_URL, 'mqtt', 'socket.io', 'polls'),
      webhooks: [
        ...addressGuardTests(
          'rejects a name that resolves to a private address before sending anything',
          'does not follow redirects',
          'resolves a name once, and connects to the address that was checked',
        ),
        ...endpointTests('rejects %s when it is saved'),
      ],
      files: 'Files are uploaded, never fetched from a URL.',
    },
  },
  {
    number: 34,
    name: 'Webhook calls that are replayed or forged',
    cells: {
      ...same(
        'Receives no webhook calls.',
        'graphql',
        'sse',
        'websocket',
        'mqtt',
        'socket.io',
        'rest',
        'polls',
        'files',
      ),
      webhooks: testsIn('webhooks/signature')(
        'is verified by the library of Standard Webhooks, only with its secret, body, id and time',
        'is valid with both secrets during a replacement, and not longer',
      ),
    },
  },
];
