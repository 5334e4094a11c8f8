/** The values of a text of JSON lines: of an audit log, a log, or what `--format jsonl` and `--watch` print. */
export const jsonLines = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
