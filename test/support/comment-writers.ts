/** The result of a request: its status, or null if the connection broke or was refused. */
export interface Outcome {
  status: number | null;
  /** Set if the comment was acknowledged. */
  commentId?: string;
  /** `performance.now()` when the request began. */
  begunAt: number;
  retryAfter?: string | null;
  /** Set if the response is an error. */
  message?: string;
  /** Why there is no status. */
  error?: unknown;
}

export interface WriterOptions {
  url: string;
  token: string;
  /** Number of concurrent requests. */
  writers: number;
  /** Called with every outcome; its writer stops when this returns true. */
  onOutcome(outcome: Outcome): boolean | Promise<boolean>;
}

/** Creates comments over REST until `onOutcome` stops each writer; a writer sends one request at a time. */
export async function writeComments({ url, token, writers, onOutcome }: WriterOptions): Promise<void> {
  const body = JSON.stringify({ referenceType: 'post', referenceId: 'tomatoes', data: { text: 'kept' } });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  async function write(): Promise<Outcome> {
    const begunAt = performance.now();
    try {
      const response = await fetch(`${url}/api/v3/comments`, { method: 'POST', headers, body });
      const retryAfter = response.headers.get('retry-after');
      const answer = (await response.json()) as { comments?: { commentId: string }[]; message?: string };
      const commentId = answer.comments?.[0]?.commentId;
      const { status } = response;
      return { status, begunAt, retryAfter, ...(commentId ? { commentId } : { message: answer.message ?? '' }) };
    } catch (error) {
      return { status: null, begunAt, error };
    }
  }
  const keepWriting = async () => {
    while (!(await onOutcome(await write())));
  };
  await Promise.all(Array.from({ length: writers }, keepWriting));
}
