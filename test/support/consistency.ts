import type { Db } from 'mongodb';
import { checkMarkers, checkMessages } from './consistency/chat.ts';
import { checkComments, checkCommunityContent, checkFlags, checkPosts, checkReactions } from './consistency/content.ts';
import { checkMembers, checkPolls, checkRoles, checkTargets } from './consistency/members.ts';
import { checkReferences } from './consistency/references.ts';
import { findingsInto, readSnapshots } from './consistency/snapshot.ts';

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
];

/**
 * Recounts everything that the database counts, follows every reference, and tells what does not hold, one line each;
 * nothing when all is well. What each counter counts is told where it is checked. Reads all records into memory, so
 * it is for tests only.
 */
export async function findInconsistencies(db: Db): Promise<string[]> {
  const problems: string[] = [];
  for (const [networkId, snapshot] of await readSnapshots(db)) {
    const inNetwork: string[] = [];
    for (const check of CHECKS) check(snapshot, findingsInto(inNetwork));
    problems.push(...inNetwork.map((problem) => `${networkId}: ${problem}`));
  }
  return problems;
}
