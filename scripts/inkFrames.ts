import { type Patch, replaced } from './patch.ts';

/** Puts several other texts in their places. */
const allReplaced = (source: string, changes: readonly (readonly [text: string, by: string])[]): string =>
  changes.reduce((changed, [text, by]) => replaced(changed, text, by), source);

/** Code for Ink: the lines on which a single text is written need no cells, and most are those of the frame before. */
const loneLines = `
const lastingCaches = new OutputCaches();
const normalLines = new QuickLRU({ maxSize: 300 });
const normalLine = (text) => {
  const known = normalLines.get(text);
  if (known !== undefined) return known;
  const line = styledCharsToString(lastingCaches.getStyledChars(text));
  normalLines.set(text, line);
  return line;
};
const loneLine = ({ x, text, transformers }) => {
  let line = normalLine(text);
  for (const transformer of transformers) line = transformer(line, 0);
  return (' '.repeat(x) + normalLine(line)).trimEnd();
};
const loneWrites = (operations, width) => {
  const found = new Map();
  for (const operation of operations) {
    if (operation.type !== 'write') return new Map();
    const height = operation.text.split('\\n').length;
    for (let y = operation.y; y < operation.y + height; y++) {
      found.set(y, height === 1 && operation.x >= 0 && operation.x <= width && !found.has(y) ? operation : undefined);
    }
  }
  return found;
};`;

/** Ink takes every line of a frame apart anew, although most are those of the frame before. Here it remembers them. */
const remembersLines = (source: string): string =>
  `import QuickLRU from 'quick-lru';\n${allReplaced(source, [
    ['styledChars = new Map();', 'styledChars = new QuickLRU({ maxSize: 300 });'],
    ['widths = new Map();', 'widths = new QuickLRU({ maxSize: 1000 });'],
    ['blockWidths = new Map();', 'blockWidths = new QuickLRU({ maxSize: 300 });'],
    ['caches = new OutputCaches();', 'caches = lastingCaches;'],
    ['export default class Output', `${loneLines}\nexport default class Output`],
    ['const output = [];', 'const output = [];\n        const lone = loneWrites(this.operations, this.width);'],
    ['for (let x = 0; x < this.width; x++)', 'for (let x = lone.get(y) ? this.width : 0; x < this.width; x++)'],
    [
      'this.applyWriteOperation(output, operation, clips.at(-1));',
      'if (lone.get(operation.y) !== operation) this.applyWriteOperation(output, operation, clips.at(-1));',
    ],
    [
      '.map(line => {\n            // See',
      '.map((line, y) => {\n            if (lone.get(y)) return loneLine(lone.get(y));\n            // See',
    ],
  ])}`;

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
  { file: /ink\/build\/squash-text-nodes\.js$/, apply: remembering('sanitizeAnsi', './sanitize-ansi.js') },
];
