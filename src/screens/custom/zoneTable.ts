/** Characters of the name column at most. */
const maxNameWidth = 32;

/** A zone file with its records aligned in columns; comments and directives stay as they are. */
export function zoneTable(file: string): string {
  const lines = file.split('\n').map((line) => (/^[;$]/.test(line) || !line.includes('\t') ? line : line.split('\t')));
  const records = lines.filter((line) => typeof line !== 'string');
  const widths = [maxNameWidth, 7, 2, 6].map((maxWidth, field) =>
    Math.min(maxWidth, Math.max(0, ...records.map((parts) => (parts[field] ?? '').length))),
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
