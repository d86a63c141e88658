import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Test files that `npm test` runs: some of each folder, within four minutes on two cores.
 *
 * Paths in `test/`. One that ends with `/` names the files of a folder that the other list does not name.
 * `test/structure/suites.test.ts` requires that each test file is in exactly one of the two lists.
 */
export const FAST: readonly string[] = [
  'answers/bounds.test.ts',
  'answers/frequency.test.ts',
  'answers/kept-queries.test.ts',
  'answers/kept-sources.test.ts',
  'answers/kept-texts.test.ts',
  'answers/shared-values.test.ts',
  'answers/text-difference.test.ts',
  'budget/every-operation.test.ts',
  'budget/get-post.test.ts',
  'budget/warm-reads.test.ts',
  'cache/',
  'client/',
  'concurrency/',
  'conformance/',
  'console/',
  'deploy/',
  'docs/',
  'events/',
  'examples/web.test.ts',
  'failure/blocked-loop.test.ts',
  'failure/connection-bursts.test.ts',
  'failure/hung-start.test.ts',
  'graphql/',
  'matrix/',
  'observe/',
  'property/',
  'realtime/',
  'recovery/second-process.test.ts',
  'recovery/worker.test.ts',
  'sample/',
  'scaling/',
  'security/',
  'store/',
  'store-cli/unfinished-import.test.ts',
  'structure/',
  'upgrade/deleted-users.test.ts',
  'upgrade/first-release.test.ts',
  'webhooks/',
  'workers/',
];

/** Test files that only `npm run test:full` runs: slow ones, and those that start, stop and kill processes. */
export const FULL_ONLY: readonly string[] = [
  'answers/',
  'budget/',
  'cache/caches-off.test.ts',
  'cache/evictions.test.ts',
  'cache/faults.test.ts',
  'cache/mutations.test.ts',
  'cache/settings-of-two-gateways.test.ts',
  'client/resume-under-failures.test.ts',
  'concurrency/chat.test.ts',
  'concurrency/many-memberships.test.ts',
  'concurrency/people.test.ts',
  'concurrency/renamed-elsewhere.test.ts',
  'concurrency/social.test.ts',
  'conformance/ban-terms.test.ts',
  'conformance/body-types.test.ts',
  'conformance/channels-writes.test.ts',
  'conformance/community-roles.test.ts',
  'conformance/keyed-calls.test.ts',
  'conformance/link-preview.test.ts',
  'conformance/message-feeds-writes.test.ts',
  'conformance/messages-writes.test.ts',
  'conformance/page-tokens.test.ts',
  'conformance/public-url.test.ts',
  'console/administration.test.ts',
  'console/moderation.test.ts',
  'console/pages.test.ts',
  'console/people.test.ts',
  'deploy/production-page.test.ts',
  'console/token-renewal.test.ts',
  'docs/browser-pages.test.ts',
  'docs/graphiql.test.ts',
  'docs/live-page.test.ts',
  'docs/resources.test.ts',
  'events/content-operations.test.ts',
  'events/every-event.test.ts',
  'events/people-and-chat-operations.test.ts',
  'examples/web-restarts.test.ts',
  'failure/',
  'matrix/matrix.test.ts',
  'matrix/visitors.test.ts',
  'observe/log-lines.test.ts',
  'property/model-based.test.ts',
  'property/relay-paging.test.ts',
  'realtime/connections.test.ts',
  'realtime/loss.test.ts',
  'realtime/mqtt-limits.test.ts',
  'realtime/mqtt-rights.test.ts',
  'realtime/mqtt-sessions.test.ts',
  'realtime/restart.test.ts',
  'realtime/sharded-order.test.ts',
  'realtime/socket-io.test.ts',
  'recovery/',
  'sample/scale.test.ts',
  'scaling/filters.test.ts',
  'scaling/queries.test.ts',
  'scaling/sharded-explain.test.ts',
  'security/browser-origins.test.ts',
  'security/client-addresses.test.ts',
  'security/connections-per-address.test.ts',
  'security/erased-person.test.ts',
  'security/erasure-runs.test.ts',
  'security/export-downloads.test.ts',
  'security/exported-person.test.ts',
  'security/hostile-input.test.ts',
  'security/keys-on-two-gateways.test.ts',
  'security/malformed-requests.test.ts',
  'security/openid-connect.test.ts',
  'security/production.test.ts',
  'security/refresh-tokens.test.ts',
  'security/replayed-mutations.test.ts',
  'security/session-cookies.test.ts',
  'security/token-rotation.test.ts',
  'store-cli/',
  'store/differential.test.ts',
  'store/engine-aborts.test.ts',
  'store/engine-bounds.test.ts',
  'store/engine-change-events.test.ts',
  'store/engine-change-history.test.ts',
  'store/engine-change-log.test.ts',
  'store/engine-change-replay.test.ts',
  'store/engine-change-stream-options.test.ts',
  'store/engine-change-stream-waiting.test.ts',
  'store/engine-cursors.test.ts',
  'store/engine-fairness.test.ts',
  'store/engine-folder.test.ts',
  'store/engine-index-builds.test.ts',
  'store/engine-large-documents.test.ts',
  'store/engine-long-writes.test.ts',
  'store/engine-memory.test.ts',
  'store/engine-options.test.ts',
  'store/engine-pauses.test.ts',
  'store/engine-plans.test.ts',
  'store/engine-time-limits.test.ts',
  'store/engine-transactions.test.ts',
  'store/record-cache.test.ts',
  'upgrade/',
  'webhooks/changes.test.ts',
  'webhooks/crash.test.ts',
  'webhooks/isolation.test.ts',
  'webhooks/leases.test.ts',
  'webhooks/secrets.test.ts',
  'workers/signals.test.ts',
];

/**
 * Test files that `npm run test:sharded` runs, as patterns in `test/`: what depends on the distribution of records over
 * shards. Each is also in one of the lists above; `sharded-*` needs a sharded cluster.
 */
export const SHARDED: readonly string[] = [
  '*/sharded-*.test.ts',
  // On a sharded cluster no record is cached.
  'concurrency/!(record-cache).test.ts',
  // `every-route` repeats calls of the other files to count their commands.
  'conformance/!(every-route).test.ts',
  // `every-mutation` compares two lists, and connects to nothing.
  'events/!(every-mutation).test.ts',
  'failure/{contention,first-requests,key-lock,outage,read-only,writes}.test.ts',
  'realtime/{catch-up,cursors,loss,restart,rights}.test.ts',
];

/** Every test file, as a path in `test/`. */
export function testFiles(): string[] {
  const paths = readdirSync(join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => path.endsWith('.test.ts')).sort();
}

/** Whether a suite names the file itself or, unless the other suite does, its folder. */
export function isInSuite(file: string, suite: readonly string[]): boolean {
  if (suite.includes(file)) return true;
  const other = suite === FAST ? FULL_ONLY : FAST;
  return suite.includes(`${file.split('/')[0]}/`) && !other.includes(file);
}
