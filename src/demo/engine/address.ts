import { resources } from '../../resources/index.ts';

/** The path at which one thing is viewed, e.g. of the server 12; undefined where there is no such operation. */
export function addressOf(resource: string, id: number | string): string | undefined {
  const description = resources.find(({ name }) => name === resource);
  return description?.view?.path.replace(`{${description.param}}`, String(id));
}
