import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { checkMarkers, checkMessages } from './consistency/chat.ts';
import { checkComments, checkCommunityContent, checkFlags, checkPosts, checkReactions } from './consistency/content.ts';
import { checkMembers, checkPolls, checkRoles, checkTargets } from './consistency/members.ts';
import { checkReferences } from './consistency/references.ts';
import { checkSearchEntries } from './consistency/search.ts';
import { findingsInto, readSnapshots } from './consistency/snapshot.ts';
import type { TestGateway } from './gateway.ts';

const CHECKS = [
  checkReferences,
  checkFlags,
  checkReactions,
  checkComments,
  checkPosts,
  checkCommunityContent,
  checkMembers,
  checkRoles,
  checkPolls,
  checkTargets,
  checkMessages,
  checkMarkers,
  checkSearchEntries,
];

/**
 * Recounts every stored counter and follows every reference. Reads all records into memory: for tests only.
 *
 * @param networkId @default every network of the database
 * @returns one line for each inconsistency
 */
export async function findInconsistencies(db: Db, networkId?: string): Promise<string[]> {
  const problems: string[] = [];
  for (const [id, snapshot] of await readSnapshots(db, networkId)) {
    const inNetwork: string[] = [];
    for (const check of CHECKS) check(snapshot, findingsInto(inNetwork));
    problems.push(...inNetwork.map((problem) => `${id}: ${problem}`));
  }
  return problems;
}

/** Expects that all counters and references of the gateway's network are exact, see {@link findInconsistencies}. */
export async function expectConsistent({ services, networkId }: TestGateway): Promise<void> {
  expect(await findInconsistencies(services.store.db, networkId)).toEqual([]);
}
