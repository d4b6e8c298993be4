// Which project the page is about.

import { createContext, useContext, type ReactNode } from 'react';

const ProjectContext = createContext('');

export const useProject = (): string => useContext(ProjectContext);

export function ProjectProvider({ name, children }: { name: string; children: ReactNode }) {
  return <ProjectContext value={name}>{children}</ProjectContext>;
}
