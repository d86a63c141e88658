import { getLinkPreview, type LinkPreview } from '../../src/domain/link-preview/get-link-preview.ts';
import { builder } from '../builder.ts';

const LinkPreviewType = builder.objectRef<LinkPreview>('LinkPreview').implement({
  description: 'Metadata of a page, for a preview of a link.',
  fields: (t) => ({
    title: t.exposeString('title', { nullable: true, description: 'Title.' }),
    description: t.exposeString('description', { nullable: true, description: 'Description.' }),
    image: t.exposeString('image', { nullable: true, description: 'URL of an image.' }),
    video: t.exposeString('video', { nullable: true, description: 'URL of a video.' }),
    domain: t.exposeString('domain', { description: 'Host of the page, after redirects.' }),
  }),
});

builder.queryField('linkPreview', (t) =>
  t.field({
    type: LinkPreviewType,
    description:
      'The preview of a page on the public internet, cached for ten minutes. Only `domain` is known of a page that cannot be read. `INVALID_PARAMETERS` for other hosts.',
    args: { url: t.arg.string({ required: true, description: 'URL of the page, at most 2,000 characters.' }) },
    resolve: (_, args, context) => getLinkPreview(context, args),
  }),
);
