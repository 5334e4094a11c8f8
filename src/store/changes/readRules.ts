import { listsUnder } from '../listsUnder.ts';
import type { Stores } from '../stores.ts';
import type { Change } from './change.ts';

/** Reads the lists that the rules of an action look at, one after the other. */
export async function readRules(
  { cache, view }: Pick<Stores, 'cache' | 'view'>,
  { action, params }: Change,
): Promise<void> {
  for (const name of action.reads ?? [])
    for (const under of listsUnder(name, params, view) ?? [])
      await cache.readCollection({ resource: name, operation: 'list', params: under });
}
