import { posix } from 'node:path';
import { code, pageHead, table } from './markdown.ts';

/** A module below test: its path and its text. */
export interface TestModule {
  path: string;
  text: string;
}

interface Helper {
  path: string;
  name: string;
  says: string;
  /** Modules that import it. */
  users: number;
}

const documented =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export (?:default )?(?:async )?(?:function\*?|const|class) (?<name>\w+)/g;

const imported = /import (?:type )?\{(?<names>[^}]*)\} from '(?<from>\.[^']*)'/g;

/** Of each folder, so many helpers are named. */
const named = 2;

/** A helper is named when so many modules import it. */
const often = 10;

/** The page of test helpers: those of each folder that most modules import, with the first sentence of their comments. */
export function testHelpersPage(modules: readonly TestModule[]): string {
  const users = usersOf(modules);
  const helpers = modules.flatMap(({ path, text }) =>
    [...text.matchAll(documented)].map(([, comment = '', name = '']): Helper => {
      return { path, name, says: sentenceOf(comment), users: users.get(`${path} ${name}`) ?? 0 };
    }),
  );
  const folders = Map.groupBy(helpers, ({ path }) => path.split('/').slice(0, -1)[1] ?? '');
  const rows = [...folders.values()].flatMap((own) =>
    own
      .filter((helper) => helper.users >= often)
      .toSorted((a, b) => b.users - a.users)
      .slice(0, named)
      .map(({ path, name, says }) => [
        code(name),
        `[${path.replace('test/', '')}](${path.replace('test/', '')})`,
        says,
      ]),
  );
  const about =
    'The two helpers of each folder that most files import. Every other one has a comment that says what it is for.';
  return `${[pageHead('Test helpers', about), table(['Helper', 'File', 'What for'], rows)].join('\n\n')}\n`;
}

/** The number of modules that import what another one exports, by its path and name. */
function usersOf(modules: readonly TestModule[]): ReadonlyMap<string, number> {
  const users = new Map<string, number>();
  for (const { path, text } of modules) {
    for (const { groups: { names = '', from = '' } = {} } of text.matchAll(imported)) {
      const source = posix.join(posix.dirname(path), from);
      for (const name of names.split(',').map((one) => `${source} ${one.trim().replace(/^type | as .*/g, '')}`))
        users.set(name, (users.get(name) ?? 0) + 1);
    }
  }
  return users;
}

/** The first sentence of a doc comment, without its frame, for a table. */
function sentenceOf(comment: string): string {
  const text = comment
    .replace(/^\s*\*? ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replaceAll('|', '\\|');
  return /^.*?[.](?= [A-Z@`])/.exec(text)?.[0] ?? text;
}
