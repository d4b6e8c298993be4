// The project that is looked at, and the others.

import { DropdownMenu } from 'radix-ui';
import type { Project } from '../api/shapes';
import { many } from '../parts/words';
import { UP_DOWN } from './icons';

interface Props {
  projects: Project[];
  current: string;
  change: (name: string) => void;
}

export function ProjectSwitcher({ projects, current, change }: Props) {
  return (
    // Not modal: a modal menu writes a style into the page, which its security policy forbids.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="switcher" aria-label={`Project ${current}, change`}>
        <span className="clip">{current}</span>
        {UP_DOWN}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={6} aria-label="Projects">
          <DropdownMenu.RadioGroup value={current} onValueChange={change}>
            {projects.map((project) => (
              <DropdownMenu.RadioItem className="menu-item" value={project.name} key={project.id}>
                <span className="clip">{project.name}</span>
                <span className="faint">{many(project.events, 'event')}</span>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
