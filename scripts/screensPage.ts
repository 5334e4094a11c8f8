/** The screens that the page shows: the name of their golden frames, a title, and a sentence. */
export const screens: Readonly<Record<string, readonly [title: string, says: string]>> = {
  home: ['Home', 'What is wrong, what runs, and the whole account at a glance.'],
  problem: ['A problem', 'Since when, the evidence, and what helps.'],
  servers: ['Servers', 'Their status and load, in percent of their CPUs.'],
  'overview-server': ['One server', 'Its load, what runs on it, what uses it, and what happened.'],
  graphs: ['Graphs of a server', 'With the thresholds of its alerts, and events on the time axis.'],
  compareSix: ['Servers compared', 'Six that were marked, with the same scale.'],
  fleet: ['Fleet', 'The load of every server over the last day, the worst first.'],
  'overview-nodebalancer': ['A NodeBalancer', 'Its ports, its nodes with their health, and its traffic.'],
  palette: ['The palette', 'Where `web` leads to, and what can be done from here.'],
  actions: ['Actions', 'All that can be done to a server, each by its letter.'],
  form: ['A form', 'A new server: what is missing is said at its field.'],
  question: ['A question', 'Before a server is deleted: what goes with it, and its label typed.'],
  plan: ['A plan', 'Changes that were collected, before they are carried out as one.'],
};

/** The size of the terminal whose frames are drawn. */
export const pictureSize = '120x40';

/** The file of a picture, from the page. */
export const pictureFile = (name: string): string => `screens/${name}.svg`;

/** The page of pictures. */
export function screensPage(): string {
  const sections = Object.entries(screens).map(
    ([name, [title, says]]) => `## ${title}\n\n${says}\n\n![${title}](${pictureFile(name)})`,
  );
  const about = `Frames of the demo account as the tests see them, in ${pictureSize.replace('x', '×')} cells and 16 colours. The pictures are drawn with the golden frames; a test fails when one is stale.`;
  return `${['# Screens', about, ...sections].join('\n\n')}\n`;
}
