/**
 * Reads comma-separated values by RFC 4180, and nothing that is not. Throws where a line does not end in CRLF, a quote
 * stands alone or in the middle, or a record has another number of fields than the first.
 */
export function readCsv(text: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  let record: string[] = [];
  const pattern = /"((?:[^"]|"")*)"|[^",\r\n]*/y;
  let at = 0;
  while (at < text.length) {
    pattern.lastIndex = at;
    const [field = '', quoted] = pattern.exec(text) ?? [];
    at += field.length;
    record.push(quoted === undefined ? field : quoted.replaceAll('""', '"'));
    if (text[at] === ',') {
      at++;
      continue;
    }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error(`neither a comma nor CRLF follows at ${at}`);
    at += 2;
    records.push(record);
    record = [];
  }
  if (record.length > 0) throw new Error('the last record does not end');
  const odd = records.findIndex(({ length }) => length !== records[0]?.length);
  if (odd >= 0) throw new Error(`record ${odd} has ${records[odd]?.length} fields, the first ${records[0]?.length}`);
  return records;
}
