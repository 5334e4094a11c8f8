import type { Source } from './house.ts';

/** Sizes that may shrink, and grow only with a reason in the commit. */
export interface Ratchet {
  /** The most lines and files of `src`. */
  lines: number;
  files: number;
  /** Functions past the limit, by file and name, with their lines. */
  functions: Readonly<Record<string, number>>;
}

/** The lines of a function, at most. */
const maxFunctionLines = 150;

/** `src` as it is. An entry goes once its function is short enough; none is added. */
export const ratchet: Ratchet = { lines: 88_300, files: 612, functions: {} };

/** The functions at the top level of a formatted file, with their lines. */
function functionsIn({ path, text }: Source): readonly { name: string; lines: number }[] {
  const lines = text.split('\n');
  return lines.flatMap((line, from) => {
    const [, name] =
      /^(?:export )?(?:default )?(?:async )?function\*? (\w+)/.exec(line) ??
      /^(?:export )?const (\w+)[^=]*= (?:async )?(?:\(|<|function|memo\()/.exec(line) ??
      [];
    if (name === undefined) return [];
    // Its parameters may end at the margin as well: `}: Props) {`.
    const rest = line.endsWith(';')
      ? -1
      : lines.slice(from + 1).findIndex((one) => /^(?![)}\]>].*(?:\{|=>)$)\S/.test(one));
    return [{ name: `${path} ${name}`, lines: Math.max(0, rest + 1) + 1 }];
  });
}

/** The sizes that have grown, and entries that are not needed any more. */
export function grown(sources: readonly Source[], sizes: Ratchet): readonly string[] {
  const lines = sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
  const long = sources.flatMap(functionsIn).filter((one) => one.lines > maxFunctionLines);
  const names = new Set(long.map(({ name }) => name));
  return [
    ...(lines > sizes.lines ? [`src: ${lines} lines; it has at most ${sizes.lines}`] : []),
    ...(sources.length > sizes.files ? [`src: ${sources.length} files; it has at most ${sizes.files}`] : []),
    ...long.flatMap(({ name, lines }) =>
      lines > (sizes.functions[name] ?? maxFunctionLines)
        ? [`${name}: ${lines} lines; it has at most ${sizes.functions[name] ?? maxFunctionLines}`]
        : [],
    ),
    ...Object.keys(sizes.functions).flatMap((name) =>
      names.has(name) ? [] : [`${name}: no longer needs its entry in the ratchet`],
    ),
  ];
}

/** Types that are exported by one name from several files. The demo, which shares no code with the program, has names of its own. */
export function repeatedNames(sources: readonly Source[]): readonly string[] {
  const exported = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm)].map(([, name]) => ({
      path,
      name: `${path.startsWith('src/demo/') ? 'demo ' : ''}${name}`,
    })),
  );
  return [...Map.groupBy(exported, ({ name }) => name)].flatMap(([name, those]) =>
    those.length > 1 ? [`${name}: exported by ${those.map(({ path }) => path).join(' and ')}`] : [],
  );
}
