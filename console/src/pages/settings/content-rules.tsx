import { useState } from 'react';
import {
  ContentRulesDocument,
  type ContentRulesQuery,
  UpdateContentRulesDocument,
} from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { useAction } from '../../api/use-action.ts';
import { useQuery } from '../../api/use-query.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryView } from '../../ui/states.tsx';

/** Words that texts cannot contain, and domains to which they can link. */
export function ContentRules() {
  const query = useQuery(ContentRulesDocument, {});
  return (
    <QueryView query={query}>
      {({ contentRules }) => (
        <RulesForm key={JSON.stringify(contentRules)} rules={contentRules} onDone={query.reload} />
      )}
    </QueryView>
  );
}

interface RulesFormProps {
  rules: ContentRulesQuery['contentRules'];
  onDone(): void;
}

function RulesForm({ rules, onDone }: RulesFormProps) {
  const [words, setWords] = useState(rules.blockedWords.join('\n'));
  const [domains, setDomains] = useState(rules.allowedLinkDomains?.join('\n') ?? '');
  const [allowsAll, setAllowsAll] = useState(rules.allowedLinkDomains === null);
  const { isRunning, run } = useAction();
  async function save(): Promise<void> {
    const input = { blockedWords: linesOf(words), allowedLinkDomains: allowsAll ? null : linesOf(domains) };
    if (await run(() => execute(UpdateContentRulesDocument, { input }), 'The rules are saved.')) onDone();
  }
  return (
    <Card>
      <div className="form">
        <TextArea
          label="Blocked words and phrases"
          hint="One on each line. They are compared as whole words, without regard to case and accents."
          rows={8}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <label className="actions">
          <input type="checkbox" checked={allowsAll} onChange={() => setAllowsAll(!allowsAll)} />
          Texts can link to all domains
        </label>
        {!allowsAll && (
          <TextArea
            label="Domains to which texts can link"
            hint="One on each line, with its subdomains. Without a line, no links are allowed."
            rows={5}
            value={domains}
            onChange={(event) => setDomains(event.target.value)}
          />
        )}
        <Button look="primary" disabled={isRunning} onClick={() => void save()}>
          Save rules
        </Button>
      </div>
    </Card>
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}
