import {
  type ContentRules,
  contentRulesInput,
  getContentRules,
  updateContentRules,
} from '../../src/domain/content-rules/change-content-rules.ts';
import { checkText, type MatchedRule } from '../../src/domain/content-rules/check-text.ts';
import { verifyContent } from '../../src/domain/content-rules/verify-content.ts';
import { builder } from '../builder.ts';
import { inputOf } from '../shared/input-fields.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { restEnum } from '../shared/rest-enum.ts';

const ContentRulesType = builder.objectRef<ContentRules>('ContentRules').implement({
  description: 'Words and links that posts, polls, comments and messages of the network cannot contain.',
  fields: (t) => ({
    blockedWords: t.exposeStringList('blockedWords', {
      description: 'Blocked words and phrases, compared as whole words without regard to case and accents.',
    }),
    allowedLinkDomains: t.exposeStringList('allowedLinkDomains', {
      nullable: true,
      description: 'Domains to which texts can link, with their subdomains; null allows all links.',
    }),
  }),
});

const ContentRule = restEnum<MatchedRule['rule']>('ContentRule', 'A rule about texts.', {
  blockedWord: 'The text contains a blocked word or phrase.',
  linkNotAllowed: 'The text links to a domain that is not allowed.',
});

const MatchedRuleType = builder.objectRef<MatchedRule>('MatchedContentRule').implement({
  description: 'A rule that excludes a text.',
  fields: (t) => ({
    rule: t.expose('rule', { type: ContentRule, description: 'The rule.' }),
    value: t.exposeString('value', {
      description: 'The blocked word or phrase, as the list spells it; or the host of the link.',
    }),
  }),
});

builder.queryFields((t) => ({
  checkText: t.field({
    type: [MatchedRuleType],
    description:
      'Every rule that excludes a text, to try the lists of blocked words and allowed links; empty for a text that can be sent. For users who edit and assign roles.',
    args: { text: t.arg.string({ required: true, description: 'The text. At most 20,000 characters.' }) },
    resolve: (_, args, context) => checkText(context, args),
  }),
  contentRules: t.field({
    type: ContentRulesType,
    description: 'The lists of blocked words and allowed links, for users who edit and assign roles.',
    resolve: (_, _args, context) => getContentRules(context),
  }),
  verifyContent: t.boolean({
    description:
      'Checks texts and links before they are sent: true, or the error `BLOCKED_WORD` or `LINK_NOT_ALLOWED`.',
    args: {
      texts: t.arg.stringList({ description: 'At most 100 texts of at most 2,000 characters each, together 20,000.' }),
      links: t.arg.stringList({
        description: 'At most 100 links of at most 2,000 characters each, together 20,000; the scheme can be absent.',
      }),
    },
    resolve: (_, args, context) => verifyContent(context, args),
  }),
}));

mutationField(
  'updateContentRules',
  inputOf(contentRulesInput),
  {
    description:
      'Replaces the lists of blocked words and allowed links, for users who edit and assign roles. Content that exists is not checked again.',
    resolve: async (_, { input }, context) => ({
      rules: await updateContentRules(context, { ...input, blockedWords: input.blockedWords ?? undefined }),
    }),
  },
  {
    outputFields: (t) => ({
      rules: t.expose('rules', { type: ContentRulesType, description: 'The lists after the change.' }),
    }),
  },
);
