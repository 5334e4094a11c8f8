import type { ConfigCheck } from '../../config/parseConfig.ts';
import { keymapWith } from '../../screens/keys/userKeys.ts';

/** Finds keys that do not exist, are taken, also by a view, or would never be reached. */
export const checkKeys: ConfigCheck = ({ keys, views }, complain) => {
  const { layers, mistakes } = keymapWith(keys);
  for (const { path, says } of mistakes) complain(['keys', ...path], says);
  for (const [layer, { keys }] of Object.entries(layers))
    for (const [action, { keys: those }] of Object.entries(keys)) {
      const taken = Object.entries(views).find(([, { key }]) => key !== undefined && those.includes(key));
      if (taken) complain(['keys', layer, action], `is "${taken[1].key}", which opens the view ${taken[0]}`);
    }
};
