import { Tab, TabList, TabPanel, TabProvider } from '@ariakit/react';
import type { ReactNode } from 'react';

interface TabsProps {
  label: string;
  /** Title and content of each tab. */
  tabs: ReadonlyArray<readonly [title: string, content: ReactNode]>;
}

/** Content of which one part is shown; hidden parts are not mounted. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <TabProvider defaultSelectedId={tabs[0]?.[0]}>
      <TabList className="tabs" aria-label={label}>
        {tabs.map(([title]) => (
          <Tab key={title} id={title} className="tab">
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(([title, content]) => (
        <TabPanel key={title} tabId={title} unmountOnHide>
          {content}
        </TabPanel>
      ))}
    </TabProvider>
  );
}
