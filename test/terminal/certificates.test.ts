import { expect, test } from 'vitest';
import { belongsTo } from '../../src/screens/form/useFileChecks.ts';
import { lockedKey, pairs } from '../certificates.ts';

const [one, other] = pairs;

test.each([
  ['its own', one.certificate, one.key, true],
  ['that of another', one.certificate, other.key, false],
  ['that of one in the chain', other.certificate + one.certificate, one.key, true],
  ['that of none in the chain', one.certificate + one.certificate, other.key, false],
  ['one with a passphrase', one.certificate, lockedKey, undefined],
  ['none', one.certificate, one.certificate, undefined],
  ['one without a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', one.key, undefined],
])('a key is %s', async (_name, certificate, key, expected) => {
  expect(await belongsTo(certificate, key)).toBe(expected);
});
