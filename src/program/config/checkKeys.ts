import type { ConfigCheck } from '../../config/parseConfig.ts';
import { keymapWith } from '../../screens/keys/ownKeys.ts';

/** Finds keys that do not exist, are taken, or would never be reached. */
export const checkKeys: ConfigCheck = ({ keys }, complain) => {
  for (const { path, says } of keymapWith(keys).mistakes) complain(['keys', ...path], says);
};
