import { describe, expect, test } from 'vitest';
import { tickets } from '../../src/resources/account/tickets.ts';
import { bodyOf, formFields } from '../../src/resources/body.ts';
import { resources } from '../../src/resources/index.ts';
import type { Draft, Row } from '../../src/resources/resource.ts';
import { ticketShortcut, ticketShortcutName, ticketSubjects } from '../../src/resources/shortcuts.ts';
import { complaintsOf, verdictOf } from '../../src/resources/verdict.ts';
import { actionOf } from './actionOf.ts';
import { knowing } from './known.ts';

const create = actionOf(tickets, 'create');
const close = actionOf(tickets, 'close');
const words: Draft = { summary: 'A question', description: 'What is this?' };

const sent = (draft: Draft) => bodyOf(tickets, create, { ...words, ...draft });
const wrong = (draft: Draft) =>
  complaintsOf(tickets, create, { ...words, ...draft }, knowing()).map(({ field }) => field);

describe('a new ticket', () => {
  test('about the account has only its words', () => {
    expect(sent({})).toEqual(words);
    expect(wrong({})).toEqual([]);
  });

  test('about one thing sends the id of that thing, whatever was chosen before', () => {
    const draft = { about: 'volume', volume_id: '7', server_id: '12', vlan: 'inner', region: 'us-east' };
    expect(sent(draft)).toEqual({ ...words, volume_id: 7 });
  });

  test('about a managed service says so and names no thing', () => {
    expect(sent({ about: 'managed service', server_id: '12' })).toEqual({ ...words, managed_issue: true });
  });

  test('about a VLAN needs its label and its region', () => {
    expect(wrong({ about: 'VLAN' })).toEqual(['vlan', 'region']);
    expect(sent({ about: 'VLAN', vlan: 'inner', region: 'us-east' })).toEqual({
      ...words,
      vlan: 'inner',
      region: 'us-east',
    });
  });

  test.each(Object.entries(ticketSubjects))('%s is asked for once a ticket is about a %s', (field, about) => {
    expect(wrong({ about })).toEqual([field]);
    const names = formFields(tickets, create, { about }).map(({ name }) => name);
    expect(names.filter((name) => name in ticketSubjects)).toEqual([field]);
  });
});

describe('the way from a row to a ticket', () => {
  test('fills in what it is about', () => {
    const start = ticketShortcut('server_id').start({ id: 12 }, knowing(), {});
    expect(sent(start)).toEqual({ ...words, server_id: 12 });
  });

  test('is there for everything that a ticket can be about and that has a list', () => {
    const named = resources.filter(({ shortcuts = [] }) => shortcuts.some(({ name }) => name === ticketShortcutName));
    expect(named.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['servers', 'volumes', 'domains', 'nodebalancers', 'managed-services']),
    );
    for (const { shortcuts = [] } of named)
      expect(shortcuts.find(({ name }) => name === ticketShortcutName)).toMatchObject({ key: 't', to: 'tickets' });
  });
});

describe('closing', () => {
  const refusal = (more: Row) => close.refuse?.({ id: 7, status: 'open', closable: true, ...more }, knowing());

  test('is for open tickets that may be closed', () => {
    expect(refusal({})).toBeUndefined();
    expect(refusal({ status: 'new' })).toBeUndefined();
    expect(refusal({ status: 'closed' })).toMatch(/already closed/);
    expect(refusal({ closable: false })).toMatch(/cannot close ticket 7/);
  });
});

describe('an attachment', () => {
  const { file } = tickets.fields;
  const verdict = (path: string) => file && verdictOf(file, true, path, {}, knowing());

  test.each(['a.gif', 'a.jpg', 'a.jpeg', 'a.pjpg', 'a.pjpeg', 'a.tif', 'a.tiff', 'a.png', 'a.pdf', '~/a b.TXT'])(
    '%s is accepted',
    (path) => expect(verdict(path)).toBeUndefined(),
  );

  test.each(['a.exe', 'a', 'png', 'a.png.zip', 'a.pngx'])('%s is not', (path) =>
    expect(verdict(path)).toMatch(/must end in one of \.gif/),
  );
});
