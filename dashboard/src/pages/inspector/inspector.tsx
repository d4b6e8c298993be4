// Ask as an agent would, and see what it would be told, what was left out, and why.

import { ToggleGroup } from 'radix-ui';
import { Page } from '../../parts/page';
import { useSearchParam } from '../../parts/search-param';
import { BeforeATask } from './before-a-task';
import { AtAPrompt } from './at-a-prompt';
import { Searching } from './searching';

const WAYS = [
  { id: 'task', name: 'Before a task', about: 'What an agent is given that begins on an item', content: <BeforeATask /> },
  { id: 'prompt', name: 'At a prompt', about: 'What goes with what a person types', content: <AtAPrompt /> },
  { id: 'search', name: 'In a search', about: 'What is found, and how its score comes about', content: <Searching /> },
];

export default function Inspector() {
  const [way, setWay] = useSearchParam('way', 'task');
  const chosen = WAYS.find(({ id }) => id === way) ?? WAYS[0]!;
  return (
    <Page title="Context inspector" about="Ask as an agent would. See what it would be told, what was left out, and why.">
      <ToggleGroup.Root className="agents" type="single" value={chosen.id} onValueChange={(id) => setWay(id || chosen.id)} aria-label="What to ask">
        {WAYS.map(({ id, name, about }) => (
          <ToggleGroup.Item className="agent" value={id} key={id}>
            <span className="title">{name}</span>
            <span className="faint">{about}</span>
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
      {chosen.content}
    </Page>
  );
}
