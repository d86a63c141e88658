import { useState } from 'react';
import type { PostItemFragment } from '../../generated/operations.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Time } from '../ui/time.tsx';
import { Comments } from './comments.tsx';
import { LikeButton } from './like-button.tsx';

export function Post({ post }: { post: PostItemFragment }) {
  const [isOpen, setOpen] = useState(false);
  const name = post.author?.displayName ?? 'Unknown';
  const pictures = post.childPosts.flatMap(({ files }) => files).filter(({ type }) => type === 'IMAGE');
  return (
    <article className="post" aria-label={`Post by ${name}`}>
      <header>
        <Avatar user={post.author} />
        <div>
          <strong>{name}</strong>
          {post.community && <span> in {post.community.displayName}</span>}
          <Time at={post.createdAt} />
        </div>
      </header>
      {post.data.text && <p className="text">{post.data.text}</p>}
      {pictures.length > 0 && (
        <div className={pictures.length > 1 ? 'pictures several' : 'pictures'}>
          {pictures.map((picture) => (
            <img key={picture.id} src={picture.fileUrl} alt={picture.altText ?? ''} loading="lazy" />
          ))}
        </div>
      )}
      <footer>
        <LikeButton post={post} />
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {post.commentsCount} {post.commentsCount === 1 ? 'comment' : 'comments'}
        </button>
      </footer>
      {isOpen && <Comments postId={post.postId} />}
    </article>
  );
}
