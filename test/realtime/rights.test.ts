import { describe, expect, test } from 'vitest';
import { emit } from '../support/emit.ts';
import type { Watcher } from '../support/watch.ts';
import { accessLosses } from './access-losses.ts';
import { overEveryTransport, useRights } from './rights-fixtures.ts';

const rights = useRights();

describe('delivers no further event over any transport after', () => {
  test.each(accessLosses(rights))('%s', async (_, prepare) => {
    const { loser, keeper, event, visibleEvent, act } = await prepare();
    const { type } = event('x');
    const losing = await rights.subscribe(loser, type);
    const keeping = keeper === null ? null : await rights.subscribe(keeper, type);
    await emit(rights.gateway, [event('before')]);
    await losing.until('before');
    await act();
    await emit(rights.gateway, [event('after')]);
    await emit(rights.gateway, [visibleEvent('end')]);
    await losing.until('end');
    await keeping?.until('end');
    const marks = (watcher: Watcher) =>
      Object.fromEntries(
        Object.entries(watcher.paths()).map(([transport, paths]) => [
          transport,
          paths.filter((path) => ['before', 'after', 'end'].includes(path)),
        ]),
      );
    expect(marks(losing)).toEqual(overEveryTransport(['before', 'end']));
    if (keeping) expect(marks(keeping)).toEqual(overEveryTransport(['before', 'after', 'end']));
    // A new subscription has the reduced rights from the start.
    const again = await rights.subscribe(loser, type);
    await emit(rights.gateway, [event('later'), visibleEvent('later end')]);
    await again.until('later end');
    expect(again.paths()).toEqual(overEveryTransport(['later end']));
  });
});
