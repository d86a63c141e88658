import { createRequire } from 'node:module';
import { Timestamp } from 'mongodb';
import { expect, test } from 'vitest';
import { hasClusterTime, patchDriver } from '../../src/store/driver-patches.ts';

interface ClusterTime {
  clusterTime: Timestamp;
}

const at = (t: number, i: number): ClusterTime => ({ clusterTime: new Timestamp({ t, i }) });

test('replies that arrive in another order than the server sent them do not decrease the cluster time', () => {
  patchDriver();
  expect(hasClusterTime()).toBe(true);
  const { Topology } = createRequire(import.meta.url)('mongodb/lib/sdam/topology.js') as {
    Topology: object & { prototype: object };
  };
  const topology: { clusterTime?: ClusterTime | undefined } = Object.assign(Object.create(Topology.prototype), {
    s: {},
  });
  for (const received of [at(2, 1), at(3, 1), at(2, 9), at(3, 0), undefined]) topology.clusterTime = received;
  expect(topology.clusterTime).toEqual(at(3, 1));
  topology.clusterTime = at(3, 2);
  expect(topology.clusterTime).toEqual(at(3, 2));
});
