import * as access from '../../src/access/role.ts';
import { viewerOf } from '../../src/context.ts';
import { builder } from '../builder.ts';
import { Role } from './role.ts';

builder.objectFields(Role, (t) => ({
  viewerCanEdit: t.boolean({
    description: 'Whether the viewer may change the role, within their own rank and permissions.',
    resolve: (role, _, context) => !role.isDeleted && access.canEditRole(viewerOf(context)),
  }),
  viewerCanDelete: t.boolean({
    description: 'Whether the viewer may delete the role, within their own rank and permissions.',
    resolve: (role, _, context) => !role.isDeleted && access.canDeleteRole(viewerOf(context)),
  }),
}));
