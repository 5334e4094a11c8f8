import { paramsIn } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Change } from '../changes/change.ts';
import type { Stores } from '../stores.ts';

/** Reads the lists that the rules of an action look at, one after the other. */
export async function readRules({ cache }: Pick<Stores, 'cache'>, { action, params }: Change): Promise<void> {
  for (const name of action.reads ?? []) {
    const { list } = resourceNamed(name);
    await cache.readCollection({ resource: name, operation: 'list', params: paramsIn(list?.path, params) });
  }
}
