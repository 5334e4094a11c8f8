/** A text that Markdown shows as it is, also within a table. */
export const plain = (text: string): string => text.replace(/[\\|<>*_`[\]]/g, '\\$&').replace(/\s*\n\s*/g, ' ');

/** A text in the typeface of code, also within a table. */
export const code = (text: string): string => {
  const safe = text.replaceAll('|', '\\|');
  return text.includes('`') ? `\`\` ${safe} \`\`` : `\`${safe}\``;
};

/** A Markdown table. */
export const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
  [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Stands at the head of a page that is never edited by hand. */
export const pageHead = (title: string, about: string): string =>
  `# ${title}\n\n${about}\n\nThis page is printed from the sources by \`npm run docs\`; a test fails when it is stale.`;
