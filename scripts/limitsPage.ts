import { actionsOf } from '../src/resources/index.ts';
import { type Action, type Field, fieldOf, type Resource } from '../src/resources/resource.ts';
import { ruleOf } from '../src/resources/verdict.ts';
import { code, pageHead, plain, table } from './markdown.ts';

/** The section of the documents on an operation, e.g. `2:4.4`. */
export type SectionOf = (method: string, path: string) => string | undefined;

/** The page of all limits: every field that is sent, with the rule of its form. */
export function limitsPage(resources: readonly Resource[], sectionOf: SectionOf): string {
  const head = pageHead(
    'Limits',
    'Every field that can be sent, with the rule its form shows and checks while it is typed. A star marks an action that requires the field; a section like 2:4.4 is the document and its part that sets the rule.',
  );
  return [head, ...resources.flatMap((resource) => sectionFor(resource, sectionOf)), ''].join('\n\n');
}

/** A field as an action sends it. */
interface Use {
  name: string;
  field: Field;
  action: Action;
  required: boolean;
}

function sectionFor(resource: Resource, sectionOf: SectionOf): readonly string[] {
  const uses = actionsOf(resource).flatMap((action) =>
    (action.body ?? []).map((entry): Use => {
      const field = fieldOf(resource, action, entry);
      const required = entry.endsWith('!') || field.needed === true;
      return { name: entry.replace(/!$/, ''), field, action, required };
    }),
  );
  // Actions that send a field by the same rule share a row.
  const groups = Map.groupBy(
    uses.filter(({ field }) => !field.local),
    ({ name, field }) => `${name}\n${field.label}\n${ruleText(field)}`,
  );
  if (groups.size === 0) return [];
  const rows = [...groups.values()].map((same) => rowFor(same, sectionOf));
  return [`## ${plain(resource.many)}`, table(['Field', 'Sent as', 'Rule', 'By', 'Document'], rows)];
}

function rowFor(uses: readonly Use[], sectionOf: SectionOf): readonly string[] {
  const [first] = uses;
  if (!first) return [];
  const by = uses.map(({ action, required }) => `${action.name}${required ? '\\*' : ''}`);
  const sections = uses.map(({ action }) => sectionOf(action.method, action.path));
  return [
    plain(first.field.label),
    code(first.name),
    plain(ruleText(first.field)),
    [...new Set(by)].join(', '),
    [...new Set(sections)].filter(Boolean).join(', '),
  ];
}

const kinds: Partial<Record<Field['kind'], string>> = {
  text: 'text',
  paragraph: 'text of several lines',
  secret: 'text, masked',
  secretParagraph: 'text of several lines, masked',
  integer: 'a whole number',
  boolean: 'yes or no',
  device: 'a disk or a volume',
  json: 'a JSON object',
  file: 'a file of this machine',
};

function ruleText(field: Field): string {
  const rule = ruleOf(field, false);
  const when = typeof field.needed === 'function' ? 'required in some forms' : '';
  const hasOptions = field.kind === 'choice' || field.kind === 'choices';
  return [[kindText(field), rule].filter(Boolean).join(hasOptions ? ', ' : '; '), when].filter(Boolean).join('; ');
}

function kindText({ kind, to, options = [] }: Field): string {
  if (kind === 'choice' && options.length > 0) return `one of ${options.join(', ')}`;
  if (kind === 'choices' && options.length > 0) return `any of ${options.join(', ')}`;
  const targets = to === undefined ? [] : [to].flat().map(spoken);
  if (kind === 'reference') return `one of the ${targets.join(' or ')}`;
  if (kind === 'references') return `any of the ${targets.join(' or ')}`;
  return kinds[kind] ?? '';
}

/** The name of a resource in words: `server-types` is `server types`. */
const spoken = (name: string) => name.replaceAll('-', ' ');
