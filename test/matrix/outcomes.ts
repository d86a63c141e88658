import { MATRIX } from '../../src/access/matrix/index.ts';
import { ACTORS, type Actor, type Outcome } from '../../src/access/matrix/row.ts';
import type { Rest, Scene } from './scene.ts';
import { CHAT_SCENES } from './scenes/chat.ts';
import { LIST_SCENES } from './scenes/lists.ts';
import { PEOPLE_SCENES } from './scenes/people.ts';
import { SOCIAL_SCENES } from './scenes/social.ts';
import { WEBHOOK_SCENES } from './scenes/webhook.ts';
import type { Answer, RestRequest, Variables, World } from './world.ts';

export const SCENES: readonly Scene[] = [
  ...PEOPLE_SCENES,
  ...SOCIAL_SCENES,
  ...CHAT_SCENES,
  ...LIST_SCENES,
  ...WEBHOOK_SCENES,
];

/** What each actor gets: an outcome of the matrix or, for any other response, its text. */
export type Outcomes = Partial<Record<Actor, Outcome | string>>;

const actors = Object.keys(ACTORS) as Actor[];

const REFUSALS = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'PERMISSION_DENIED',
  'BANNED',
  'USER_MUTED',
  'CHANNEL_MUTED',
  'CANNOT_BAN',
];

/** The outcomes that the matrix lists for a scene. */
export function expectedOutcomes({ operation, situation }: Scene): Outcomes {
  return MATRIX.find((row) => row.operation === operation && row.situation === situation)!.outcomes;
}

export async function graphqlOutcomes(world: World, scene: Scene): Promise<Outcomes> {
  const outcomes: Outcomes = {};
  for (const actor of actors) {
    const variables = await scene.prepare(world, actor);
    const headers = await scene.headers?.(world, actor);
    outcomes[actor] = graphqlOutcome(scene, await world.ask(actor, scene.document, variables, headers));
  }
  return outcomes;
}

/** @param onRequest called with each request before it is sent */
export async function restOutcomes(
  world: World,
  scene: Scene,
  rest: Rest,
  onRequest: (request: RestRequest) => void = () => undefined,
): Promise<Outcomes> {
  const outcomes: Outcomes = {};
  for (const actor of actors) {
    const variables = await scene.prepare(world, actor);
    const request = rest(variables);
    onRequest(request);
    const answer = await world.call(actor, { ...request, headers: await scene.headers?.(world, actor) });
    outcomes[actor] = await restOutcome(world, scene, variables, answer);
  }
  return outcomes;
}

/** Each REST request of the scenes with a name for its test. */
export function restRequests(scenes: readonly Scene[]): Array<readonly [name: string, scene: Scene, rest: Rest]> {
  return scenes.flatMap((scene) =>
    [scene.rest ?? []].flat().map((rest, index) => {
      const way = index === 0 ? '' : `, way ${index + 1}`;
      return [`${scene.operation}: ${scene.situation}${way}`, scene, rest] as const;
    }),
  );
}

function graphqlOutcome({ isAbsent = (answer) => answer === null }: Scene, { body }: Answer): string {
  if (body.errors) return outcomeOfCode(String(body.errors[0].extensions?.code), JSON.stringify(body.errors[0]));
  const { answer } = body.data;
  if (answer?.__typename === 'OperationError') return outcomeOfCode(answer.code, JSON.stringify(answer));
  return isAbsent(answer) ? 'absent' : 'allowed';
}

function outcomeOfCode(code: string, text: string): string {
  if (code === 'NOT_FOUND') return 'absent';
  return REFUSALS.includes(code) ? 'refused' : text;
}

async function restOutcome(
  world: World,
  { isAbsentInRest }: Scene,
  variables: Variables,
  { status, body }: Answer,
): Promise<string> {
  if (status === 200) return (await isAbsentInRest?.(body, variables, world)) ? 'absent' : 'allowed';
  if (status === 404 && body.code === 400400) return 'absent';
  return [401, 403].includes(status) ? 'refused' : JSON.stringify(body);
}
