import { resources } from '../../resources/index.ts';
import { keyNames } from '../../screens/keys/userKeys.ts';
import { isExaminable } from '../../store/problems/userRules.ts';
import { listCalled } from '../../store/views/userViews.ts';
import { isListed } from './checkCommands.ts';
import { isChanged } from './checkGuards.ts';

/** The names that the JSON Schema of the configuration has: those that its checks take. */
export const schemaNames = () => ({
  ...keyNames(),
  areas: {
    views: resources.filter(({ name }) => listCalled(name)),
    guards: resources.filter(isChanged),
    commands: resources.filter(({ local }) => !local),
    rules: resources.filter(isExaminable),
    ask: resources.filter(isListed),
  },
});
