import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectedOutcomes, graphqlOutcomes, restOutcomes, restRequests, SCENES } from './outcomes.ts';
import { createWorld, type World } from './world.ts';

/** Every n-th scene: the fast suite checks a sample of the matrix, `matrix.test.ts` all of it. */
const EVERY = 12;
const sample = SCENES.filter((_, index) => index % EVERY === 0);

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.gateway.close());

describe('a sample of operations has the outcomes of the matrix for each actor over GraphQL', () => {
  test.each(sample.map((scene) => [`${scene.operation}: ${scene.situation}`, scene] as const))(
    '%s',
    async (_, scene) => {
      expect(await graphqlOutcomes(world, scene)).toEqual(expectedOutcomes(scene));
    },
  );
});

describe('a sample of operations has the outcomes of the matrix for each actor over REST', () => {
  test.each(restRequests(sample))('%s', async (_, scene, rest) => {
    expect(await restOutcomes(world, scene, rest)).toEqual(expectedOutcomes(scene));
  });
});
