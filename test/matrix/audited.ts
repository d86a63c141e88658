import { schema } from '../../schema/index.ts';
import { MATRIX } from '../../src/access/matrix/index.ts';
import type { Actor } from '../../src/access/matrix/row.ts';
import type { Fixtures } from './fixtures.ts';
import type { MatrixCase } from './matrix-case.ts';

/** Mutations that publish the viewer's own content: a permission decides where, but nobody else is affected. */
const PUBLISHES: ReadonlySet<string> = new Set([
  'createChannel',
  'createPost',
  'createRoom',
  'createStory',
  'sendMessage',
]);

const mutations = schema.getMutationType()!.getFields();

/**
 * Whether the matrix shows that the actor needs a permission: other users, members included, may not execute the mutation
 * on a record of somebody else.
 */
function isPrivileged({ operation, situation }: MatrixCase, actor: Actor): boolean {
  if (!(operation in mutations) || PUBLISHES.has(operation)) return false;
  if (!['moderator', 'networkModerator', 'admin'].includes(actor)) return false;
  const { outcomes } = MATRIX.find((row) => row.operation === operation && row.situation === situation)!;
  return outcomes[actor] === 'allowed' && outcomes.outsider !== 'allowed' && outcomes.member !== 'allowed';
}

/** The outcome of a request; another text if it was a privileged act of which the audit log has no entry. */
export async function audited(
  fixtures: Fixtures,
  testCase: MatrixCase,
  actor: Actor,
  request: () => Promise<string>,
): Promise<string> {
  if (!isPrivileged(testCase, actor)) return request();
  const { auditEntries } = fixtures.gateway.services.store.collections;
  const { operation: action, networkId = 'default' } = testCase;
  const entries = { networkId, actorId: actor, action };
  const before = await auditEntries.countDocuments(entries);
  const outcome = await request();
  if (outcome !== 'allowed' || (await auditEntries.countDocuments(entries)) > before) return outcome;
  return 'allowed, without an entry in the audit log';
}
