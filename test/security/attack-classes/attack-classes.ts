import type { AttackClass } from './attack-class.ts';
import { AUTHORIZATION } from './authorization.ts';
import { BROWSERS } from './browsers.ts';
import { CREDENTIALS } from './credentials.ts';
import { DISCLOSURE } from './disclosure.ts';
import { EXHAUSTION } from './exhaustion.ts';
import { INJECTION } from './injection.ts';
import { MALFORMED_INPUT } from './malformed-input.ts';
import { WEBHOOKS } from './webhooks.ts';
import { WRITES } from './writes.ts';

/** All attack classes, by number. */
export const ATTACK_CLASSES: readonly AttackClass[] = [
  ...INJECTION,
  ...AUTHORIZATION,
  ...CREDENTIALS,
  ...EXHAUSTION,
  ...DISCLOSURE,
  ...BROWSERS,
  ...MALFORMED_INPUT,
  ...WEBHOOKS,
  ...WRITES,
].sort((a, b) => a.number - b.number);
