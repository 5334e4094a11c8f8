import type { Action } from '../src/resources/action.ts';
import { askingOf, askOf, menuLetter } from '../src/resources/asking.ts';
import { actionsOf } from '../src/resources/index.ts';
import type { Resource } from '../src/resources/resource.ts';
import type { Layer } from '../src/screens/keys/layer.ts';
import { presets } from '../src/screens/keys/presets.ts';
import { code, pageHead, plain, table } from './markdown.ts';

/** The page of all keys: those of each layer, then the actions of each resource. */
export function keysPage(layers: Readonly<Record<string, Layer>>, resources: readonly Resource[]): string {
  const head = pageHead(
    'Keys',
    'Every key, as the footer and `?` show them. A layer takes a key before the ones it lies upon: a form before its list, a list before what holds everywhere. In a read-only session the keys that change something open what can be put into the plan by `ctrl-a`; nothing is sent.',
  );
  const areas = Map.groupBy(resources, ({ area }) => area);
  return [
    head,
    ownSection(),
    ...Object.entries(layers)
      .filter(([, { keys }]) => Object.keys(keys).length > 0)
      .map(layerSection),
    `## What can be done to what

A capital after \`a\` or \`n\` is pressed in the menu that \`a\` or \`n\` opens. Small letters narrow that menu by what the actions are called, and \`enter\` takes the one under the cursor: \`a\` \`resize\` \`enter\`.

*At once* sends without a question. *Asks* says what will happen and waits for \`enter\`. *Form* opens a form, which \`ctrl-s\` sends; *form, then asks* puts the question after that. *Type the label* wants the label of the row typed, or the count of several. Of several rows every change asks, and how. With \`critical\` in the profile every change wants that.`,
    ...[...areas].flatMap(([area, within]) => areaSection(area, within)),
    '',
  ].join('\n\n');
}

/** The presets, and how single keys are set. */
const ownSection = () => `## Keys of your own

\`[keys]\` in [the configuration](config.md) begins with a preset and changes single keys, by the names of layers and actions on this page. A key is a character of any keyboard, a name as on this page, \`ctrl-\` and a letter, \`alt-\` and a character, or \`f1\` to \`f12\`. \`""\` takes a key away. One that something else has, that could never be reached, or that would delete by a key pressed by mistake, is refused with its line.

\`\`\`toml
[keys]
preset = "vim"

[keys.list]
sort = "O"
mark = ["space", "m"]
json = "y"
\`\`\`

What the presets change, in every layer that has the action:

${presetsTable()}`;

/** A line for each action that a preset changes, with its keys in each of them. */
function presetsTable(): string {
  const names = (Object.keys(presets) as (keyof typeof presets)[]).filter((name) => name !== 'default');
  const keysIn = names.map(
    (name) =>
      new Map(
        Object.values(presets[name])
          .toReversed()
          .flatMap((keys) => Object.entries(keys)),
      ),
  );
  const actions = [...new Set(keysIn.flatMap((keys) => [...keys.keys()]))];
  const rows = actions.map((action) => [
    code(action),
    ...keysIn.map((keys) => (keys.get(action) ?? []).map(code).join(' ')),
  ]);
  return table(['Action', ...names], rows);
}

function layerSection([layer, { title, keys }]: readonly [string, Layer]): string {
  const rows = Object.entries(keys).map(([action, key]) => [
    key.explains ? '' : code(action),
    key.keys.map((name) => (name === 'any' ? 'any other' : code(name))).join(' ') || 'by name',
    `${plain(key.help)}${key.writes ? ' (changes)' : ''}`,
  ]);
  return `## ${plain(title)}: ${code(layer)}\n\n${table(['Action', 'Keys', 'What they do'], rows)}`;
}

function areaSection(area: string, resources: readonly Resource[]): readonly string[] {
  const sections = resources.map(changesOf).filter((section) => section !== undefined);
  return sections.length > 0 ? [`### ${area}`, ...sections] : [];
}

function changesOf(resource: Resource): string | undefined {
  const rows = [
    ...actionsOf(resource).map((action) => [
      keyOf(resource, action.name, action.key),
      plain(action.help),
      askingWords(action),
    ]),
    ...(resource.shortcuts ?? []).map((shortcut) => [
      menuKey(shortcut.key),
      plain(shortcut.help),
      `form of ${shortcut.to}`,
    ]),
  ];
  return rows.length > 0
    ? `**${plain(resource.many)}**\n\n${table(['Keys', 'What they do', 'How it begins and what it asks'], rows)}`
    : undefined;
}

/** The key of an action: its own key, or its letter in the menu. */
export function keyOf({ create, creates = [], edit, remove }: Resource, name: string, key: string): string {
  if (creates.some((one) => one.name === name) || (name === create?.name && creates.length > 0)) {
    return `${code('n')} ${code(menuLetter(key))}`;
  }
  if (name === create?.name) return code('n');
  if (name === edit?.name) return code('e');
  return name === remove?.name ? code('d') : menuKey(key);
}

/** The keys for a letter of the menu of actions. */
export const menuKey = (key: string) => `${code('a')} ${code(menuLetter(key))}`;

/** Tells the beginning of an action and its question, in a few words: `form, then asks`, `asks when it replaces an object`. */
export function askingWords(action: Action): string {
  const opensForm = Boolean(action.body || action.dialog);
  const words = {
    'at once': opensForm ? '' : 'at once',
    asks: 'asks',
    'asks at times': `asks when ${askOf(action).when}`,
    'types the label': 'type the label',
  }[askingOf(action)];
  if (!opensForm) return words;
  return words === '' ? 'form' : `form, then ${words}`;
}
