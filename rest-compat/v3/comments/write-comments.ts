import { z } from 'zod';
import { givenParams, mentionParams, metadataParam, permanentParam } from '../../content-params.ts';
import { enumParam } from '../../enum-param.ts';
import { flagParams } from '../../flag-params.ts';
import {
  type CommentAttachmentType,
  type CommentReferenceType,
  CreateRestCommentDocument,
  DeleteRestCommentDocument,
  FlagRestCommentDocument,
  IsCommentFlaggedDocument,
  UnflagRestCommentDocument,
  UpdateRestCommentDocument,
} from '../../generated/documents.ts';
import { id, list, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';
import { COMMENT_ARRAYS } from './query-comments.ts';

const said = {
  data: z.object({ text: text({ min: 0, max: 20_000 }).nullish() }).nullish(),
  attachments: list(z.object({ type: enumParam<CommentAttachmentType>('CommentAttachmentType'), fileId: id() }), {
    max: 10,
  }).nullish(),
  metadata: metadataParam,
  mentionees: mentionParams,
};

const one = z.object({ commentId: id() });
const shared = { section: 'legacy-facts §7', arrays: COMMENT_ARRAYS } as const;

export const writeComments: Route[] = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/comments',
    summary: 'Create a comment, or a reply to one.',
    params: z.object({
      referenceType: enumParam<CommentReferenceType>('CommentReferenceType').nullish(),
      referenceId: id(),
      parentId: id().nullish(),
      ...said,
    }),
    document: CreateRestCommentDocument,
    variables: (params) => ({ input: params }),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v3/comments/:commentId',
    summary: 'Change a comment.',
    params: z.object({ commentId: id(), ...said }),
    document: UpdateRestCommentDocument,
    variables: (params) => ({ input: givenParams(params) }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v4/comments/:commentId',
    summary: 'Delete a comment.',
    params: z.object({ commentId: id(), permanent: permanentParam }),
    document: DeleteRestCommentDocument,
    variables: ({ commentId, permanent }) => ({ input: { commentId, permanent: permanent ?? null } }),
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/comments/:commentId/flag',
    summary: 'Flag a comment for its moderators.',
    params: z.object({ commentId: id(), ...flagParams }),
    document: FlagRestCommentDocument,
    variables: ({ commentId, reason, detail }) => ({
      input: { commentId, reason: reason ?? null, detail: detail ?? null },
    }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v3/comments/:commentId/unflag',
    summary: "Take the caller's flag on a comment back.",
    params: one,
    document: UnflagRestCommentDocument,
    variables: ({ commentId }) => ({ commentId }),
  }),
  route({
    section: 'legacy-facts §7',
    arrays: [],
    method: 'GET',
    path: '/api/v3/comments/:commentId/isflagbyme',
    summary: 'Whether the caller flagged a comment.',
    params: one,
    document: IsCommentFlaggedDocument,
    variables: ({ commentId }) => ({ commentId }),
  }),
];
