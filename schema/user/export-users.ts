import { exportUser, exportUserInput, type UserExport } from '../../src/export/export-user.ts';
import { builder } from '../builder.ts';
import { inputOf } from '../shared/input-fields.ts';

const UserExportType = builder.objectRef<UserExport>('UserExport').implement({
  description: 'Where the data of a person can be downloaded.',
  fields: (t) => ({
    userId: t.exposeString('userId', { description: 'Public id of the user.' }),
    url: t.exposeString('url', {
      description:
        'Address of a compressed tar archive, which needs no other authorization. It works once, and while the session that requested it lasts.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when the download can begin.' }),
  }),
});

// Without a stored response, because it contains a secret; a repeated call creates another URL.
builder.relayMutationField(
  'exportUser',
  { description: 'Input of `exportUser`.', ...inputOf(exportUserInput) },
  {
    description:
      'Creates a URL from which the data of a person is downloaded once: one’s own, or for users who assign network roles that of users up to their rank. The archive contains every record about the person or by them, and their files.',
    errors: {},
    resolve: async (_, { input }, context) => ({ export: await exportUser(context, input) }),
  },
  {
    description: 'Result of `exportUser`.',
    outputFields: (t) => ({
      export: t.expose('export', { type: UserExportType, description: 'Where the data can be downloaded.' }),
    }),
  },
);
