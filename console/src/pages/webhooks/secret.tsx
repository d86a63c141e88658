/** A signing secret, which the server returns only once. */
export function Secret({ secret }: { secret: string }) {
  return (
    <p className="message" role="status">
      Signing secret, shown once: <code>{secret}</code>
    </p>
  );
}
