import { singleCell } from '../src/components/cells.ts';
import { allReplaced, type Patch, replaced } from './patch.ts';

/** Code for Ink: a line of letters of one cell each and of colours has as many cells as letters, and nothing to clean. */
const simpleLines = `
const simpleLine = /^${singleCell.source}*(?:\\x1b\\[[\\d;]*m${singleCell.source}*)*$/;
const isSimple = (text) => simpleLine.test(text);
const lengthOfSimple = (text) => text.replace(/\\x1b\\[[\\d;]*m/g, '').length;`;

const letters = `${singleCell.source}+`;
/** A text in one emphasis, which is ended and not begun again at once. */
const emphasized = [
  ['[12]', '22'],
  ['7', '27'],
].map(([begin, end]) => `\\x1b\\[${begin}m${letters}\\x1b\\[${end}m(?!\\x1b\\[${begin}m)`);
const colour = '\\x1b\\[[39][0-7]m';
/** Texts in one colour each, the last of which is ended; no colour begins twice, or again after the end. */
const coloured = `(?:(?<begin>${colour})${letters}(?!\\k<begin>))+\\x1b\\[39m(?!${colour})`;
/** Any such texts. */
const anyColoured = `(?:${colour}${letters})+\\x1b\\[39m`;
const lineOf = (...texts: readonly string[]) =>
  `/^${singleCell.source}*(?:(?:${texts.join('|')})${singleCell.source}*)*$/`;

/**
 * Code for Ink: what is written on a line decides what becomes of it, so a line on which the same is written as on one of
 * a frame before need not be made again. Where texts stand side by side, no cells are needed to make it: of a colour that
 * follows another one at once, only the beginning is written.
 */
const rememberedLines = `${simpleLines}
const lastingCaches = new OutputCaches();
const linesOfTexts = new QuickLRU({ maxSize: 300 });
const normalLines = new QuickLRU({ maxSize: 300 });
const finishedLines = new QuickLRU({ maxSize: 300 });
const recall = (known, key, make) => {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
};
const normal = ${lineOf(coloured, ...emphasized)};
const joinable = ${lineOf(anyColoured, ...emphasized)};
const joined = (text) =>
  text.replace(/\\x1b\\[39m(?=${colour})/g, '').replace(/(?<=(${colour})[^\\x1b]*)\\1/g, '');
const linesOf = (text) =>
  joinable.test(text) ? [text] : recall(linesOfTexts, text, () => {
    const lines = [[]];
    for (const character of lastingCaches.getStyledChars(text)) {
      if (character.value === '\\n') lines.push([]);
      else lines.at(-1).push(character);
    }
    return lines.map((line) => styledCharsToString(line));
  });
const normalLine = (text) =>
  normal.test(text) ? text : recall(normalLines, text, () =>
    joinable.test(text) ? joined(text) : styledCharsToString(lastingCaches.getStyledChars(text)));
const cellsOf = (text) =>
  isSimple(text) ? lengthOfSimple(text) : lastingCaches
    .getStyledChars(text)
    .reduce((cells, { value }) => cells + Math.max(1, lastingCaches.getStringWidth(value)), 0);
const lineOfPieces = (pieces, width) => {
  let line = '';
  let end = 0;
  for (const { x, text } of pieces) {
    if (x < end || x > width) return undefined;
    line += ' '.repeat(x - end) + normalLine(text);
    end = x + cellsOf(text);
  }
  return normalLine(line).trimEnd();
};
const piecesOnLines = (operations, height) => {
  const found = Array.from({ length: height }, () => []);
  let clips = 0;
  for (const operation of operations) {
    if (operation.type !== 'write') {
      clips += operation.type === 'clip' ? 1 : -1;
      continue;
    }
    const { x, transformers } = operation;
    for (const [index, line] of linesOf(operation.text).entries()) {
      const pieces = found[operation.y + index];
      if (!pieces) continue;
      let text = line;
      if (clips > 0) pieces.isClipped = true;
      else for (const transformer of transformers) text = transformer(text, index);
      if (text !== '') pieces.push({ x, text });
    }
  }
  return found;
};`;

/** Ink makes every line of a frame anew, although most are those of the frame before. Here it remembers them. */
const remembersLines = (source: string): string =>
  `import QuickLRU from 'quick-lru';\n${allReplaced(source, [
    ['styledChars = new Map();', 'styledChars = new QuickLRU({ maxSize: 100 });'],
    ['widths = new Map();', 'widths = new QuickLRU({ maxSize: 1000 });'],
    ['blockWidths = new Map();', 'blockWidths = new QuickLRU({ maxSize: 300 });'],
    ['caches = new OutputCaches();', 'caches = lastingCaches;'],
    ['export default class Output', `${rememberedLines}\nexport default class Output`],
    [
      '    get() {',
      `    get() {
        const lines = piecesOnLines(this.operations, this.height).map((pieces, y) => {
            if (pieces.isClipped) return this.lineOfCells(y);
            const key = this.width + pieces.map(({ x, text }) => '\\n' + x + '\\n' + text).join('');
            return recall(finishedLines, key, () => lineOfPieces(pieces, this.width) ?? this.lineOfCells(y));
        });
        return { output: lines.join('\\n'), height: this.height };
    }
    lineOfCells(only) {`,
    ],
    [
      'for (let y = 0; y < this.height; y++) {\n            const row',
      'for (let y = only; y === only; y++) {\n            const row',
    ],
    ['output.push(row);', 'output[y] = row;'],
    [
      'else {\n                this.applyWriteOperation',
      'else if (operation.y <= only && only < operation.y + linesOf(operation.text).length) {\n                this.applyWriteOperation',
    ],
    ['const generatedOutput = output\n', 'return [output[only]]\n'],
    [
      ".join('\\n');\n        return {\n            output: generatedOutput,\n            height: output.length,\n        };",
      ".join('\\n');",
    ],
  ])}`;

/** A function of one text that has a shorter way with simple lines. */
const shortened = (head: string, text: string, answer: string) => (source: string) =>
  `${simpleLines}\n${replaced(source, head, `${head}\nif (isSimple(${text})) return ${answer};`)}`;

/** A function of one text, imported, that remembers what it has answered. */
const remembering = (name: string, module: string) => (source: string) =>
  replaced(
    source,
    `import ${name} from '${module}';`,
    `import QuickLRU from 'quick-lru';
import compute_${name} from '${module}';
const known_${name} = new QuickLRU({ maxSize: 300 });
const ${name} = (text) => {
  const known = known_${name}.get(text);
  if (known !== undefined) return known;
  const answer = compute_${name}(text);
  known_${name}.set(text, answer);
  return answer;
};`,
  );

/** Has Ink work out again only what is new in a frame. */
export const inkFrames: readonly Patch[] = [
  { file: /ink\/build\/output\.js$/, apply: remembersLines },
  { file: /ink\/build\/render-node-to-output\.js$/, apply: remembering('widestLine', 'widest-line') },
  {
    file: /ink\/build\/sanitize-ansi\.js$/,
    apply: shortened('const sanitizeAnsi = (text) => {', 'text', 'text'),
  },
  {
    file: /widest-line\/index\.js$/,
    apply: shortened('export default function widestLine(string) {', 'string', 'lengthOfSimple(string)'),
  },
  { file: /ink\/build\/squash-text-nodes\.js$/, apply: remembering('sanitizeAnsi', './sanitize-ansi.js') },
];
