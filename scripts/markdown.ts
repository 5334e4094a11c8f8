/** Escapes a text for Markdown, also within a table. */
export const plain = (text: string): string => text.replace(/[\\|<>*_`[\]]/g, '\\$&').replace(/\s*\n\s*/g, ' ');

/** A text as inline code, also within a table. */
export const code = (text: string): string => {
  const safe = text.replaceAll('|', '\\|');
  return text.includes('`') ? `\`\` ${safe} \`\`` : `\`${safe}\``;
};

/** A Markdown table. */
export const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
  [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The head of a generated page. */
export const pageHead = (title: string, about: string): string =>
  `# ${title}\n\n${about}\n\nThis page is printed from the sources by \`npm run docs\`; a test fails when it is stale.`;
