import { type Labelled, type Resource, resource } from '../resource.ts';
import { toDeploy } from '../shortcuts.ts';
import { questionsOf } from './scriptQuestions.ts';

/** A StackScript: a script that sets a new server up (document 2, 2.8). */
export type StackScript = Labelled & {
  description: string;
  images: readonly string[];
  is_public: boolean;
  rev_note: string;
  script: string;
  /** Whether it belongs to the account; left out by some deployments. */
  mine?: boolean;
  username?: string;
  deployments_active?: number;
  deployments_total?: number;
  created?: string;
  updated?: string;
};

const isMine = ({ mine, is_public }: StackScript) => mine ?? !is_public;

const refuseForeign = (script: StackScript) =>
  isMine(script) ? undefined : `${script.label} belongs to ${script.username ?? 'someone else'}; copy it to change it`;

/** The images it can be deployed with, the platform's own without their prefix. */
const imageNames = ({ images }: StackScript) =>
  Array.isArray(images) ? images.map((id) => String(id).replace(/^server\//, '')) : undefined;

const oneWay = 'Once public, it can never be made private again or deleted.';
const writable = ['label!', 'images!', 'script!', 'description', 'rev_note'];
const columns = ['Label', 'User', 'Deploys', 'Updated', 'Images'];

/** StackScripts (document 2, 2.8 and 4.5). */
export const stackscripts: Resource = resource<StackScript>()({
  name: 'stackscripts',
  one: 'StackScript',
  many: 'StackScripts',
  area: 'Compute',
  aliases: ['scripts', 'ss'],
  param: 'stackscriptId',
  path: '/v4/server/stackscripts',
  scope: 'stackscripts',
  entity: 'stackscript',
  ids: /^\d{1,15}$/,
  empty: 'A StackScript is a script that sets up a new server when it boots for the first time.',
  fields: {
    label: { min: 3, max: 128 },
    images: {
      kind: 'references',
      merged: true,
      to: 'images',
      offers: ({ is_public }) => is_public === true,
      help: 'The images that it can be deployed with.',
    },
    script: {
      kind: 'paragraph',
      help: 'Begins with #! and its interpreter. ctrl-e opens your editor.',
      check: (entry) =>
        entry.startsWith('#!') ? undefined : 'must begin with #! and its interpreter, e.g. #!/bin/bash',
    },
    description: { kind: 'paragraph', emptied: '' },
    rev_note: { label: 'Revision note', emptied: '', help: 'What changed in this revision.' },
    is_public: { label: 'Public', kind: 'boolean', fallback: false, help: oneWay },
  },
  sections: [
    {
      title: 'Mine',
      only: isMine,
      columns: ['Label', 'Deploys', 'Updated', 'Images', 'Public', 'Note'],
      operation: 'mine',
      empty: 'You have no StackScripts of your own; the next tab has the public ones.',
    },
    { title: 'Public', only: ({ is_public }) => is_public, columns: [...columns, 'Note', 'ID'] },
  ],
  columns: [
    { title: 'Label', value: 'label', keep: 1 },
    { title: 'User', value: 'username' },
    { title: 'Deploys', value: 'deployments_total', format: 'number' },
    { title: 'Updated', value: 'updated', format: 'age' },
    { title: 'Images', value: imageNames, format: 'list', width: 24 },
    { title: 'Public', value: 'is_public', format: 'boolean', keep: 1 },
    { title: 'Note', value: 'rev_note', width: 24 },
    { title: 'ID', value: 'id', format: 'id', keep: 3 },
  ],
  card: [
    { title: 'Asks for', value: (script) => questionsOf(script)?.map(({ name }) => name), format: 'list' },
    { title: 'Active', value: 'deployments_active', format: 'number' },
    { title: 'Created', value: 'created', format: 'date' },
    { title: 'Description', value: 'description', format: 'paragraph' },
  ],
  tabs: [{ title: 'Script', screen: 'stackscript', uses: ['stackscripts.view'] }],
  list: {
    pages: 'numbered',
    filter: { is_public: true, '+order_by': 'deployments_total', '+order': 'desc' },
    gradual: true,
    partial: true,
    freshFor: 600,
  },
  create: {
    shownBy: { events: ['stackscript_create'], names: ['label'], time: 'created', author: 'username' },
    body: [...writable, 'is_public'],
    like: () => ({ is_public: false, rev_note: undefined }),
    start: () => ({ script: '#!/bin/bash\n' }),
    ask: {
      when: 'it is made public',
      warning: (_script, _view, { is_public }) =>
        is_public === true ? `Makes it and its script visible to everyone. ${oneWay}` : undefined,
    },
    inverse: ({ body }) => (body?.is_public === true ? 'A public StackScript cannot be deleted.' : undefined),
  },
  edit: { body: writable, refuse: refuseForeign, single: true },
  remove: {
    refuse: (script) =>
      refuseForeign(script) ??
      (script.is_public ? `${script.label} is public; only private StackScripts can be deleted` : undefined),
    ask: {
      warning: (script) => `Deletes ${script.label} and its script. Servers set up by it stay as they are.`,
      typeLabel: true,
      together: 'Deletes them and their scripts. Servers set up by them stay as they are.',
    },
    inverse: () => ({ action: 'create', differs: ['it gets another id', 'it counts its deployments anew'] }),
  },
  actions: [
    {
      name: 'publish',
      key: 'p',
      on: 'Make {} public',
      method: 'PUT',
      send: () => ({ is_public: true }),
      refuse: (script) => refuseForeign(script) ?? (script.is_public ? `${script.label} is already public` : undefined),
      ask: {
        warning: (script) => `Makes ${script.label} and its script visible to everyone. ${oneWay}`,
        typeLabel: true,
      },
      inverse: oneWay,
      single: true,
    },
  ],
  shortcuts: [
    toDeploy({
      key: 's',
      start: ({ id, images }) => ({
        mode: 'stackscript',
        stackscript_id: String(id),
        image: images?.length === 1 ? images[0] : undefined,
      }),
    }),
  ],
  operations: {
    mine: { path: '/v4/server/stackscripts', pages: 'numbered', filter: { mine: true }, gradual: true, partial: true },
  },
  paragraphs: ['script'],
  copies: { script: ({ script }) => script },
});
