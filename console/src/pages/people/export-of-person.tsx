import { ExportUserDocument } from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';

/** Downloads everything that is stored about a person. */
export function ExportOfPerson({ userId }: { userId: string }) {
  const { isRunning, run } = useAction();
  async function download(): Promise<void> {
    const { exportUser } = await execute(ExportUserDocument, { input: { userId } });
    // An attachment: the browser saves it while it arrives, and the page remains.
    if (exportUser.__typename === 'ExportUserPayload') window.location.assign(exportUser.export.url);
  }
  return (
    <Card title="Export">
      <p>Everything that is stored about this person, with their files, in one archive. The audit log records it.</p>
      <Button disabled={isRunning} onClick={() => void run(download, 'The download begins.')}>
        Export data
      </Button>
    </Card>
  );
}
