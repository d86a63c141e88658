import { z } from 'zod';
import { operation } from '../../documents.ts';
import { list, text } from '../../params.ts';
import { route } from '../../route.ts';

const shared = { method: 'POST', reference: 'verify-content', arrays: [] } as const;
const data = (description: string) =>
  z.object({ data: list(text({ max: 2_000 }), { max: 100 }).describe(description) });

export const verifyContent = [
  route({
    ...shared,
    path: '/api/v3/allowlists/verify',
    summary: 'Check that links are allowed; error 400309 if one is not.',
    params: data('Links to check, with or without scheme.'),
    document: operation('VerifyLinks'),
    variables: ({ data }) => ({ links: data }),
  }),
  route({
    ...shared,
    path: '/api/v3/blocklists/verify',
    summary: 'Check that texts contain no blocked word; error 400308 if one does.',
    params: data('Texts to check.'),
    document: operation('VerifyTexts'),
    variables: ({ data }) => ({ texts: data }),
  }),
];
