import { useMutation } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { MarkReadDocument } from '../../generated/operations.ts';

/** Marks a message feed as read up to a segment while the page is visible. */
export function useReadMarker(messageFeedId: string, segment: number): void {
  const [markRead] = useMutation(MarkReadDocument);
  const isVisible = usePageVisibility();
  useEffect(() => {
    if (!isVisible || segment === 0) return;
    // A mark that is lost is repeated with the next message, or when the channel is opened again.
    markRead({ variables: { messageFeedId, readToSegment: segment } }).catch(() => undefined);
  }, [markRead, messageFeedId, segment, isVisible]);
}

function usePageVisibility(): boolean {
  const [isVisible, setVisible] = useState(document.visibilityState === 'visible');
  useEffect(() => {
    const update = () => setVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  return isVisible;
}
