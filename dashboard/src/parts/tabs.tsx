// Views of one thing, of which one is open. Which one is in the address, so that it can be kept and sent.

import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useSearchParam } from './search-param';

export interface Tab {
  id: string;
  name: ReactNode;
  content: ReactNode;
}

export function Tabs({ name, tabs }: { name: string; tabs: Tab[] }) {
  const [open, setOpen] = useSearchParam('view', tabs[0]?.id ?? '');
  return (
    <Radix.Root className="fill stack" value={open} onValueChange={setOpen}>
      <Radix.List className="tabs" aria-label={name}>
        {tabs.map((tab) => (
          <Radix.Trigger className="tab" value={tab.id} key={tab.id}>
            {tab.name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content className="fill stack" value={tab.id} key={tab.id} tabIndex={-1}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
