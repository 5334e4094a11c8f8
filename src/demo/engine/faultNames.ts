/** What may go wrong on the way, as `--faults` names it; apart from what makes it go wrong, which takes long to load. */
export const faultNames = [
  'errors',
  'unavailable',
  'limits',
  'busy',
  'drops',
  'hangs',
  'pages',
  'truncated',
  'redirects',
  'revoked',
  'skew',
  'colleague',
] as const;
