import { z } from 'zod';
import { operation } from '../../documents.ts';
import { text } from '../../params.ts';
import { route } from '../../route.ts';

export const linkPreview = route({
  method: 'GET',
  path: '/api/v1/link-preview',
  reference: 'link-preview',
  summary: 'Get the title, description and media of a page on the public internet.',
  params: z.object({ url: text({ max: 2_000 }) }),
  document: operation('LinkPreview'),
  variables: ({ url }) => ({ url }),
  arrays: [],
  wrap: (body) => body.linkPreview as object,
});
