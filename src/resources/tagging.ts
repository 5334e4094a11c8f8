import { isBlank } from './body.ts';
import type { DescribedAction, Field, Row } from './resource.ts';
import { textsOf } from './row.ts';

/** The tags of a server, volume, domain or NodeBalancer (document 1, 2.9). */
export const tagsField: Field = {
  label: 'Tags',
  kind: 'strings',
  pattern: { test: /^.{3,50}$/u, whole: true, says: '3–50 characters each' },
  to: 'tags',
  picks: (tag) => String(tag.label),
  merged: true,
  help: 'Only unrestricted users may change tags.',
};

const tagsOf = (row: Row | undefined): readonly string[] => textsOf(row?.tags);

const chosen = ({ tags }: Row): readonly string[] => textsOf(tags);

/** Adding tags to rows and taking tags off them, each row keeping what else it has (document 1, 2.9). */
export const tagActions: readonly DescribedAction[] = [
  {
    name: 'tag',
    key: '+',
    on: 'Add tags to {}',
    method: 'PUT',
    body: ['tags!'],
    fields: { tags: { ...tagsField, label: 'Tags to add', part: 'added' } },
    start: () => ({}),
    check: ({ tags }, _view, row) =>
      row && !isBlank(tags) && [tags].flat().every((tag) => tagsOf(row).includes(String(tag)))
        ? { field: 'tags', says: 'it has them already' }
        : undefined,
    send: (body, _draft, row) => ({ tags: [...new Set([...tagsOf(row), ...chosen(body)])] }),
    inverse: () => ({ action: 'edit' }),
    invalidates: ['tags', 'tagged'],
  },
  {
    name: 'untag',
    key: '-',
    on: 'Remove tags from {}',
    method: 'PUT',
    body: ['tags!'],
    fields: {
      tags: {
        label: 'Tags to remove',
        kind: 'choices',
        to: 'tags',
        part: 'removed',
        optionsOf: (rows) => [...new Set(rows.flatMap(tagsOf))].sort(),
        help: tagsField.help,
      },
    },
    start: () => ({}),
    refuse: (row) => (tagsOf(row).length > 0 ? undefined : 'it has no tags'),
    send: (body, _draft, row) => ({ tags: tagsOf(row).filter((tag) => !chosen(body).includes(tag)) }),
    inverse: () => ({ action: 'edit' }),
    invalidates: ['tags', 'tagged'],
  },
];
