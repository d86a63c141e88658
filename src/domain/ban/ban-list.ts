import type { KeysetOrder } from '../../store/keyset-query.ts';
import type { PageRequest } from '../../store/page.ts';

/** What the lists of each kind have in common. */
export interface BanList {
  /** Conditions on bans that are in effect. */
  inEffect: { [condition: string]: unknown };
  order: KeysetOrder;
  request: PageRequest;
}
