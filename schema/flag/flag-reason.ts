import { FLAG_REASONS } from '../../src/domain/flag/flag-reason.ts';
import { restEnum } from '../shared/rest-enum.ts';

export const FlagReason = restEnum('FlagReason', 'Why something is flagged.', FLAG_REASONS);
