/** The screens that the page shows: the name of their golden frames, and a sentence. */
const screens = {
  home: 'Home: what is wrong, what runs, and the whole account at a glance.',
  servers: 'The servers with their load, in percent of their CPUs.',
  fleet: 'The load of every server over the last day. In colour the cells are backgrounds without characters.',
  'overview-server': 'One server: its load, what runs on it, what uses it, and what happened.',
  graphs: 'Graphs of one server, with the thresholds of its alerts.',
  problem: 'A problem: since when, the evidence, and what helps.',
} as const;

const sizes = ['80x24', '120x40', '200x60'] as const;

/**
 * The page of real frames.
 * @param frameOf the golden frame of this name and size
 */
export function screensPage(frameOf: (name: string) => string): string {
  const sections = Object.entries(screens).flatMap(([name, says]) => [
    `## ${says.replace(/[:.,].*$/, '')}`,
    says,
    ...sizes.flatMap((size) => [`${size.replace('x', '×')}:`, `\`\`\`text\n${frameOf(`${name}.${size}`)}\n\`\`\``]),
  ]);
  return `${[
    '# Screens',
    'Frames of the demo account as the tests see them, without their colours, at three sizes of a terminal. This page is printed by `npm run docs`; a test fails when it is stale.',
    ...sections,
  ].join('\n\n')}\n`;
}
