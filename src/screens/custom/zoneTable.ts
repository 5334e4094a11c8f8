/** The widest that the first field of a record is given, in characters. */
const widestName = 32;

/** A zone file with its records set out in columns; comments and directives stay as they are. */
export function zoneTable(file: string): string {
  const lines = file.split('\n').map((line) => (/^[;$]/.test(line) || !line.includes('\t') ? line : line.split('\t')));
  const records = lines.filter((line) => typeof line !== 'string');
  const widths = [widestName, 7, 2, 6].map((most, field) =>
    Math.min(most, Math.max(0, ...records.map((parts) => (parts[field] ?? '').length))),
  );
  return lines
    .map((line) =>
      typeof line === 'string'
        ? line
        : line
            .map((part, field) => part.padEnd(widths[field] ?? 0))
            .join('  ')
            .trimEnd(),
    )
    .join('\n');
}
