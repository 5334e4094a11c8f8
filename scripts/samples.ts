import { readFileSync } from 'node:fs';

/** The folder of golden frames. */
const folder = 'test/frames/golden';

/** A golden frame by the name of its file, without blank lines at its end. */
const goldenFrame = (name: string): string => readFileSync(`${folder}/${name}.txt`, 'utf8').trimEnd();

const place =
  /<!-- ([\w.-]+)(?:, the first (\d+) lines)?, copied by npm run docs -->\n```text\n[\s\S]*?```\n<!-- end -->/g;

const journeyPlace =
  /<!-- (?<file>[\w./-]+\.tsx): (?<name>.+), copied by npm run docs -->\n```ts\n[\s\S]*?```\n<!-- end -->/g;

/**
 * Updates the tests that a page shows. Each is between two comments, of which the first names the file and the test.
 */
export const withTests = (page: string): string =>
  page.replace(journeyPlace, (_whole, file: string, name: string) => {
    const [, after] = readFileSync(file, 'utf8').split(`test('${name}'`);
    if (after === undefined) throw new Error(`${file} has no test with the name ${name}`);
    const text = `test('${name}'${after.slice(0, after.indexOf('\n});') + 4)}`;
    return `<!-- ${file}: ${name}, copied by npm run docs -->\n\`\`\`ts\n${text}\n\`\`\`\n<!-- end -->`;
  });

/**
 * Updates the samples of a page. Each is between two comments, of which the first names the golden file and how many of
 * its lines are shown, all by default.
 */
export const withSamples = (page: string): string =>
  page.replace(place, (_whole, name: string, lines?: string) => {
    const golden = goldenFrame(name).split('\n');
    const shown = golden.slice(0, lines === undefined ? undefined : Number(lines)).join('\n');
    const first = `<!-- ${name}${lines === undefined ? '' : `, the first ${lines} lines`}, copied by npm run docs -->`;
    return `${first}\n\`\`\`text\n${shown}\n\`\`\`\n<!-- end -->`;
  });
