import { creationsOf, resourceNamed } from '../../resources/index.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import { targetsAt } from '../../store/changes/change.ts';
import type { Stores } from '../../store/stores.ts';
import { sentence } from '../../text/words.ts';
import { choicesFor, createParams, startAction } from '../actions.ts';

/** Opens what is likely to help against a problem; undefined where nothing is known to, or where it would write while read-only. */
export function remedyFor(
  stores: Stores,
  { remedy, resource: name, params, label }: Problem,
): (() => void) | undefined {
  const resource = resourceNamed(name);
  if (!remedy) return undefined;
  if ('tab' in remedy)
    return () => stores.navigation.go({ screen: 'detail', resource: name, params, tab: remedy.tab.toLowerCase() });
  if (stores.api.readOnly) return undefined;
  const wanted = 'shortcut' in remedy ? remedy.shortcut : remedy.action;
  const creation = creationsOf(resource).find((action) => action.name === wanted);
  if (creation) return () => startAction(stores, resource, creation, [], createParams(name, params));
  return () => {
    const choices = choicesFor(stores, resource, targetsAt(stores, resource, [params]), params);
    const choice = choices.find((choice) => choice.name === wanted);
    if (choice?.refusal) stores.notices.say('bad', sentence(choice.refusal, label));
    else choice?.run();
  };
}
