import { code, pageHead, table } from './markdown.ts';

/** A module of the tests that holds no tests: its path and its text. */
export interface TestModule {
  path: string;
  text: string;
}

const documented =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export (?:default )?(?:async )?(?:function\*?|const|class) (?<name>\w+)/g;

/** The page of test helpers, with the first sentence of each doc comment. */
export function testHelpersPage(modules: readonly TestModule[]): string {
  const sections = modules.flatMap(({ path, text }) => {
    const rows = [...text.matchAll(documented)]
      .map(([, comment = '', name = '']) => [code(name), sentenceOf(comment)])
      .filter(([, sentence = '']) => !isShape.test(sentence));
    return rows.length > 0 ? [`## ${path}\n\n${table(['Helper', 'What for'], rows)}`] : [];
  });
  const about = 'Which helper of the tests does what, by the file that holds it.';
  return `${[pageHead('Test helpers', about), ...sections].join('\n\n')}\n`;
}

/** Comments on the shapes of answers only name the document. */
const isShape = /^Document \d/;

/** The first sentence of a doc comment, without its frame, for a table. */
function sentenceOf(comment: string): string {
  const text = comment
    .replace(/^\s*\*? ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replaceAll('|', '\\|');
  return /^.*?[.](?= [A-Z@])/.exec(text)?.[0] ?? text;
}
