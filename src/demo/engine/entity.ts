import { resources } from '../../resources/index.ts';

/** A thing as an event names it (document 1, 2.5). Those of type account and profile have no id. */
export interface Entity {
  id?: number | string;
  label: string;
  type: string;
  url: string | null;
}

/** A row as an event names it, with the path at which it is viewed. */
export function entityOf(
  resource: string,
  type: string,
  { id, label }: { id: number | string; label: string },
): Entity {
  const description = resources.find(({ name }) => name === resource);
  return { id, label, type, url: description?.view?.path.replace(`{${description.param}}`, String(id)) ?? null };
}
