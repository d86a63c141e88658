import { entriesOf, SEARCHED_COLLECTIONS } from '../../../src/store/search/entries.ts';
import type { Findings, Snapshot } from './snapshot.ts';

/** Each record with words or a name has an entry with its present tokens, and there are no others. */
export function checkSearchEntries(snapshot: Snapshot, { expect, require }: Findings): void {
  const wanted = new Map(
    SEARCHED_COLLECTIONS.flatMap((name) => entriesOf(name, snapshot[name])).map((entry) => [String(entry._id), entry]),
  );
  for (const { _id, kind, recordId, scopeId, tokens, scopeTokens } of snapshot.searchEntries) {
    const what = `search entry of ${kind} ${recordId}`;
    const entry = wanted.get(String(_id));
    wanted.delete(String(_id));
    require(`${what} has no record`, entry !== undefined);
    if (entry) {
      expect(`${what}: scopeId`, scopeId, entry.scopeId);
      expect(`${what}: tokens`, tokens?.toSorted(), entry.tokens?.toSorted());
      expect(`${what}: scopeTokens`, scopeTokens?.toSorted(), entry.scopeTokens?.toSorted());
    }
  }
  for (const { kind, recordId } of wanted.values()) require(`${kind} ${recordId} has no search entry`, false);
}
