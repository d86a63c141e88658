import { Card, Page } from '../../ui/page.tsx';

const EXPLORERS: ReadonlyArray<[path: string, name: string, meaning: string]> = [
  ['/graphql', 'GraphiQL', 'Queries, mutations and subscriptions, with the schema. In development only.'],
  ['/docs', 'REST documentation', 'Every route of the REST interface, to try in the browser.'],
  ['/docs/events', 'Live event page', 'Events as a client of the REST interface receives them.'],
  ['/openapi.json', 'OpenAPI document', 'The REST interface for generators.'],
  ['/asyncapi.json', 'AsyncAPI document', 'The events for generators.'],
  ['/healthz', 'Health', 'Whether the process runs.'],
  ['/readyz', 'Readiness', 'Whether the database answers.'],
];

/** Links to the explorers and documents that this gateway serves. */
export function ExplorersPage() {
  return (
    <Page title="API explorers" about="In production, API_DOCS decides whether the documentation is served.">
      <Card>
        <ul className="links">
          {EXPLORERS.map(([path, name, meaning]) => (
            <li key={path}>
              <a href={path} target="_blank" rel="noreferrer">
                {name}
              </a>{' '}
              <code>{path}</code>
              <p className="muted">{meaning}</p>
            </li>
          ))}
        </ul>
      </Card>
    </Page>
  );
}
