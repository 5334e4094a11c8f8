import fc from 'fast-check';
import { expect, it } from 'vitest';
import { webAddress } from '../../src/text/escapes.ts';
import { anyText } from './anyText.ts';

it.each<[string, string | undefined]>([
  ['https://search.example.com/ping', 'https://search.example.com/ping'],
  ['http://[2001:db8::1]:8080/?a=1;b#c', 'http://[2001:db8::1]:8080/?a=1;b#c'],
  ['files.eu.example.com', 'https://files.eu.example.com/'],
  ['192.0.2.1', 'https://192.0.2.1/'],
  ['mailto:ops@example.com', 'mailto:ops@example.com'],
  ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
  ['javascript:alert(1)', undefined],
  ['file:///etc/passwd', undefined],
  ['db.example.com:5432', undefined],
  ['https://user:secret@example.com/', undefined],
  ['https://example.com/\x1b]8;;https://evil.example\x07', undefined],
  ['https://example.com/a b', undefined],
  ['https://example.com/\u202e', undefined],
  [`https://example.com/${'x'.repeat(3000)}`, undefined],
  ['', undefined],
  ['–', undefined],
])('%j leads to %s', (text, address) => {
  expect(webAddress(text)).toBe(address);
});

it('is printable ASCII, whatever the text is', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      for (const given of [text, `https://example.com/${text}`]) {
        expect(webAddress(given) ?? 'https:!').toMatch(/^(?:https?|mailto):[!-~]+$/);
      }
    }),
  );
});
