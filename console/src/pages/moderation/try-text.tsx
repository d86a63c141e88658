import { useState } from 'react';
import { CheckTextDocument, type CheckTextQuery } from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { useAction } from '../../api/use-action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';

type MatchedRule = CheckTextQuery['checkText'][number];

/** Tries the lists of blocked words and allowed links: which rules exclude a text. */
export function TryText() {
  const [text, setText] = useState('');
  const [matched, setMatched] = useState<readonly MatchedRule[] | null>(null);
  const { isRunning, run } = useAction();
  const check = () => run(async () => setMatched((await execute(CheckTextDocument, { text })).checkText));
  return (
    <Card>
      <div className="form">
        <TextArea
          label="Text to try"
          hint="Which blocked words and links of the network it contains. Nothing is sent to users."
          rows={4}
          maxLength={20_000}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setMatched(null);
          }}
        />
        <Button look="primary" disabled={isRunning} onClick={() => void check()}>
          Try
        </Button>
        <div role="status">{matched && <Result matched={matched} />}</div>
      </div>
    </Card>
  );
}

function Result({ matched }: { matched: readonly MatchedRule[] }) {
  if (matched.length === 0) return <p>No rule excludes this text.</p>;
  return (
    <ul className="plain-list">
      {matched.map(({ rule, value }) => (
        <li key={`${rule} ${value}`} className="actions">
          <Badge tone="bad">{rule === 'BLOCKED_WORD' ? 'Blocked word' : 'Link not allowed'}</Badge> {value}
        </li>
      ))}
    </ul>
  );
}
