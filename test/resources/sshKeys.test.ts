import { expect, test } from 'vitest';
import { wrongKeys } from '../../src/resources/compute/serverCreate.ts';

const ed25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFkBUQLflMMfLTFbrLVz3Xo5Jlaw345T4MHeQvUP+hOz';
const part = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
const keyOf = (type: string, ...parts: readonly number[]) =>
  `${type} ${Buffer.concat([Buffer.from(type), ...parts.map((size) => Buffer.alloc(size, 7))].map(part)).toString('base64')}`;

test.each([
  ed25519,
  `${ed25519} operator@example.com`,
  `  ${ed25519} two words  `,
  keyOf('ssh-rsa', 3, 129),
  keyOf('ecdsa-sha2-nistp256', 8, 65),
  keyOf('ecdsa-sha2-nistp384', 8, 97),
  keyOf('ecdsa-sha2-nistp521', 8, 133),
  keyOf('sk-ssh-ed25519@openssh.com', 32, 4),
  keyOf('sk-ecdsa-sha2-nistp256@openssh.com', 8, 65, 4),
])('%s is a public key', (key) => expect(wrongKeys([key])).toBeUndefined());

test.each([
  ['S3cretPass!x', /must be public keys, .*; this is not one$/],
  ['ssh-ed25519', /this is cut off or altered$/],
  ['ssh-ed25519 AAAA operator', /this is cut off or altered$/],
  ['ssh-ed25519 S3cretPass!x', /this is cut off or altered$/],
  [ed25519.slice(0, -8), /this is cut off or altered$/],
  [ed25519.replace('ssh-ed25519', 'ssh-rsa'), /this is cut off or altered$/],
  [keyOf('ssh-dss', 3, 129), /this is not one$/],
  ['-----BEGIN OPENSSH PRIVATE KEY-----', /must not contain a private key/],
  ['from="192.0.2.1" ssh-rsa AAAA', /this is not one$/],
])('%s is refused', (key, says) => {
  const wrong = wrongKeys([key]);
  expect(wrong).toMatch(says);
  expect(wrong).not.toContain(key);
  expect(wrong).not.toContain('S3cret');
});

test('of several, the one that is wrong is told by its place', () => {
  expect(wrongKeys([ed25519, ed25519])).toBeUndefined();
  expect(wrongKeys([ed25519, 'S3cretPass!x'])).toContain('key 2 is not one');
});
