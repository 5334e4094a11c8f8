import type { ConfigCheck } from '../../config/parseConfig.ts';
import { resourceNamed } from '../../resources/index.ts';
import { placeholdersIn } from '../../resources/placeholders.ts';
import { emptyView } from '../../resources/resource.ts';
import { parseFilter } from '../../store/filter/filter.ts';
import { oddWords } from '../../store/filter/hints.ts';
import { type SshConfig, shellPlaceholders } from '../../store/ssh.ts';

type ShellConfig = Pick<NonNullable<SshConfig>, 'run' | 'user'>;

/** Finds shells that could never be opened: other placeholders, users like options, filters that do not parse. */
export const checkSsh: ConfigCheck = ({ profiles }, complain, warn) => {
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
