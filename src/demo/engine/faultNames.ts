/** The faults that `--faults` can name; apart from faults.ts, which takes long to load. */
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
