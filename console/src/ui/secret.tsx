import { Button } from './button.tsx';
import { notify } from './notifications.tsx';

/** A value that the server returns only once, with a button that copies it. */
export function Secret({ label, value }: { label: string; value: string }) {
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value);
      notify('Copied.');
    } catch {
      // Browsers offer the clipboard to pages over HTTPS and on this machine only.
      notify('The browser does not allow copying: select the text.', 'error');
    }
  }
  return (
    <div className="message secret" role="status">
      <p>{label}. It is shown only now.</p>
      <code>{value}</code>
      <Button className="small" onClick={() => void copy()}>
        Copy
      </Button>
    </div>
  );
}
