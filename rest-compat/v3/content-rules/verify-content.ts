import { z } from 'zod';
import { operation } from '../../documents.ts';
import { list, text } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const verify = (path: string, summary: string): Route =>
  route({
    method: 'POST',
    path,
    reference: 'verify-content',
    summary,
    params: z.object({ data: list(text({ max: 2_000 }), { max: 100 }).describe('Words or links to check.') }),
    document: operation('VerifyContent'),
    variables: ({ data }) => ({ texts: data }),
    arrays: [],
  });

export const verifyContent = [
  verify('/api/v3/allowlists/verify', 'Check that links are allowed; error 400309 if one is not.'),
  verify('/api/v3/blocklists/verify', 'Check that words are not blocked; error 400308 if one is.'),
];
