import { describe, expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { confirmTable } from '../../src/screens/form/confirmTable.ts';
import type { Submission } from '../../src/store/changes/change.ts';
import { clean } from '../../src/text/cells.ts';
import { actionOf } from '../resources/actionOf.ts';
import { knowing } from '../resources/known.ts';

const theme = themeNamed('mono', 'unicode', false);
const records = resourceNamed('records');
const view = knowing({ domains: [{ id: 1, domain: 'example.com' }] });

/** The rows of a question in a window of so many columns, without colours. */
function tableOf(submission: Pick<Submission, 'action'> & Partial<Submission>, rows: readonly Row[], columns: number) {
  const targets = rows.map((row) => ({ row, params: { domainId: '1', recordId: String(row.id) } }));
  const { head, lines } = confirmTable(
    { resource: records, params: { domainId: '1' }, draft: {}, ...submission, targets },
    view,
    theme,
    columns - 4,
  );
  return [head, ...lines].map((line) => clean(line));
}

const aaaa = (id: number, name: string) => ({ id, type: 'AAAA', name, target: '3fff:100:0:1::f03c:1000', ttl_sec: 0 });
const key = `v=DKIM1; k=rsa; p=${'MIIBIjANBgkqhkiG9w0BAQ'.repeat(12)}`;
const widths = [60, 80, 120] as const;

describe('the rows of a question', () => {
  test.each(widths)('what is there and what comes is whole at %i columns, whatever else goes', (columns) => {
    const edits = { opened: {}, mine: { target: '3fff:100:0:1::f03c:1017' } };
    const lines = tableOf({ action: actionOf(records, 'edit'), edits }, [aaaa(1, 'web-1'), aaaa(2, 'www')], columns);
    expect(lines.join('\n')).not.toContain('…');
    expect(lines.join('').replaceAll(/\s/g, '')).toContain('3fff:100:0:1::f03c:1000→3fff:100:0:1::f03c:1017');
  });

  test('of two hundred rows each is whole, and has no line more than it needs', () => {
    const rows = Array.from({ length: 200 }, (_, nth) => aaaa(nth, `web-${nth}`));
    const edits = { opened: {}, mine: { target: '3fff:100:0:1::f03c:1017' } };
    const lines = tableOf({ action: actionOf(records, 'edit'), edits }, rows, 80);
    expect(lines).toHaveLength(201);
    expect(lines.slice(1).filter((line) => !line.includes('::f03c:1000 → 3fff:100:0:1::f03c:1017'))).toEqual([]);
  });

  test.each(widths)('a value that is longer than a line is whole at %i columns, in lines of its own', (columns) => {
    const long = { id: 3, type: 'TXT', name: 'selector1._domainkey', target: key, ttl_sec: 0 };
    const lines = tableOf({ action: actionOf(records, 'delete') }, [aaaa(1, 'web-1'), long], columns);
    expect(lines.join('').replaceAll(/\s/g, '')).toContain(key.replaceAll(' ', ''));
  });
});
