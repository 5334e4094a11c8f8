import type { ConfigCheck } from '../../config/parseConfig.ts';
import { isUnencrypted } from '../../config/settingRules.ts';
import { resourceNamed } from '../../resources/index.ts';
import { placeholdersIn } from '../../resources/placeholders.ts';
import { emptyView } from '../../resources/resource.ts';
import { keymapWith } from '../../screens/keys/userKeys.ts';
import { parseFilter } from '../../store/filter/filter.ts';
import { oddWords } from '../../store/filter/hints.ts';
import { type SshConfig, shellPlaceholders } from '../../store/ssh.ts';
import { checkCommands } from './checkCommands.ts';
import { checkGuards } from './checkGuards.ts';
import { checkRules } from './checkRules.ts';
import { checkViews } from './checkViews.ts';

type ShellConfig = Pick<NonNullable<SshConfig>, 'run' | 'user'>;

/** Finds shells that could never be opened: other placeholders, users like options, filters that do not parse. */
const checkSsh: ConfigCheck = ({ profiles }, complain, warn) => {
  for (const [name, { ssh }] of Object.entries(profiles)) {
    const path = ['profiles', name, 'ssh'];
    if (!ssh) continue;
    check(ssh, path);
    for (const [index, special] of ssh.when.entries()) {
      const own = [...path, 'when', index];
      check(special, own);
      const filter = parseFilter(special.where, resourceNamed('servers').columns, emptyView);
      const odd = 'error' in filter ? undefined : oddWords(special.where, resourceNamed('servers').columns).says;
      if (odd !== undefined) warn([...own, 'where'], odd);
      if ('error' in filter)
        complain([...own, 'where'], `is no filter: at character ${filter.position + 1}, ${filter.error}`);
    }
  }

  function check({ run = [], user }: ShellConfig, path: readonly (string | number)[]): void {
    const known: readonly string[] = shellPlaceholders;
    for (const unknown of new Set(run.flatMap(placeholdersIn).filter((word) => !known.includes(word))))
      complain(
        [...path, 'run'],
        `has {${unknown}}; what is filled in is ${known.map((word) => `{${word}}`).join(', ')}`,
      );
    if (user !== undefined && !/^[^-\s@:]\S*$/.test(user))
      complain([...path, 'user'], 'must be the name of a user, which has no blanks and does not begin with -');
  }
};

/** Finds profiles that nobody can name, addresses that every start refuses, and words that stand for two things. */
const checkProfiles: ConfigCheck = ({ profiles }, complain) => {
  for (const [name, { base_url, insecure_http, token_env, vocabulary = {} }] of Object.entries(profiles)) {
    const path = ['profiles', name];
    if (name.trim() === '' || name.includes(','))
      complain(path, 'cannot be named by --profile, where commas stand between names; choose another name');
    if (base_url !== undefined && isUnencrypted(base_url) && !insecure_http)
      complain(
        [...path, 'base_url'],
        'is not encrypted, so anyone on the network could read the token; use https, or set insecure_http = true',
      );
    if (token_env !== undefined && !/^[A-Za-z_]\w*$/.test(token_env))
      complain([...path, 'token_env'], 'must be the name of a variable: letters, digits and _');
    const meanings = Map.groupBy(Object.entries(vocabulary), ([, word]) => word);
    for (const [word, [first, second]] of meanings)
      if (first && second)
        complain([...path, 'vocabulary', second[0]], `must not be the word of ${first[0]} as well; both are ${word}`);
  }
};

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

/** The checks of the configuration that need the descriptions, the filter or the keys. */
export const configChecks: readonly ConfigCheck[] = [
  checkCommands,
  checkGuards,
  checkKeys,
  checkProfiles,
  checkRules,
  checkSsh,
  checkViews,
];
