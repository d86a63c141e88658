import type { UserErasureRecord } from '../store/records/erasure.ts';
import { endMembershipsStep, eraseSessionsStep } from './erase-account.ts';
import { eraseAnswersStep } from './erase-answers.ts';
import { eraseAuditStep } from './erase-audit.ts';
import { contentSteps } from './erase-content.ts';
import { eraseFilesStep } from './erase-files.ts';
import { eraseFlagsStep } from './erase-flags.ts';
import { eraseMediaStep } from './erase-media.ts';
import { eraseReactionNamesStep } from './erase-reaction-names.ts';
import { eraseWebhooksStep } from './erase-webhooks.ts';
import type { ErasureStep } from './erasure-run.ts';

/** The steps in their order: webhooks and stored answers last, since copies of the data can reach them until then. */
export function stepsOf({ content }: Pick<UserErasureRecord, 'content'>): ErasureStep[] {
  return [
    endMembershipsStep,
    eraseSessionsStep,
    eraseReactionNamesStep,
    eraseFlagsStep,
    ...contentSteps(content),
    ...(content === 'remove' ? [eraseMediaStep] : []),
    eraseFilesStep,
    eraseAuditStep,
    eraseAnswersStep,
    eraseWebhooksStep,
  ];
}
