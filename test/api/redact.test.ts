import { expect, test } from 'vitest';
import { redacted } from '../../src/api/redact.ts';
import type { Exchange } from '../../src/api/request.ts';
import { resources } from '../../src/resources/index.ts';
import type { ListOperation, Operation } from '../../src/resources/resource.ts';
import { client, failure, json, serve, version } from './server.ts';

const secret = 'hunter2-hunter2';

test('every secret reads [redacted], however deep; all else stays', () => {
  const body = {
    label: 'web-1',
    root_pass: secret,
    password: secret,
    card_number: secret,
    cvv: secret,
    private_key: secret,
    certificate: secret,
    secret_key: secret,
    token: secret,
    configs: [{ port: 443, ssl_cert: secret, ssl_key: secret, nodes: [{ label: 'a' }] }],
    stackscript_data: { db_password: secret, site: secret },
    tags: ['a'],
    group: null,
  };
  const safe = redacted(body);
  expect(JSON.stringify(safe)).not.toContain(secret);
  expect(safe).toMatchObject({
    label: 'web-1',
    root_pass: '[redacted]',
    configs: [{ port: 443, ssl_key: '[redacted]', nodes: [{ label: 'a' }] }],
    tags: ['a'],
    group: null,
  });
  expect(body.root_pass).toBe(secret);
});

test('a secret that is not set tells nothing', () => {
  expect(redacted({ ssl_key: null, password: undefined })).toEqual({ ssl_key: null, password: undefined });
  expect(redacted('text')).toBe('text');
  expect(redacted(undefined)).toBeUndefined();
});

test('a key that would change the prototype stays a key', () => {
  const safe = redacted(JSON.parse('{"__proto__": {"password": "x"}}'));
  expect(JSON.stringify(safe)).toBe('{"__proto__":{"password":"[redacted]"}}');
});

test('every field that a description calls secret is redacted', () => {
  for (const { fields } of resources) {
    for (const [name, { kind }] of Object.entries(fields)) {
      if (kind !== 'secret' && kind !== 'secretParagraph') continue;
      const key = name.slice(name.lastIndexOf('.') + 1);
      expect(redacted({ [key]: secret }), name).toEqual({ [key]: '[redacted]' });
    }
  }
});

const create: Operation = { method: 'POST', path: `${version}/server/instances` };

test('what is refused never repeats a secret that was sent, however it is quoted', async () => {
  const lines = ['MIIEfirstLineOfAKey', 'q7lastLineOfAKey'];
  const key = `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----`;
  const reasons = [
    `ssl_key ${key} is no key`,
    `ssl_key ${JSON.stringify(key)} is no key`,
    `ssl_key ${lines.join('')}, ${'x'.repeat(1950)} ${lines[1]}`,
    `${secret} is too weak for web-1; a key begins with -----BEGIN PRIVATE KEY-----`,
  ];
  const { url } = await serve((_request, response) =>
    json(response, { errors: reasons.map((reason) => ({ reason, field: `configs[0].${secret}` })) }, 400),
  );
  const changes: object[] = [];
  const { api } = client(url, { onChange: (change) => changes.push(change) });
  const body = { label: 'web-1', root_pass: secret, configs: [{ ssl_key: key }] };
  const error = await failure(api.send(create, { body }));
  expect(error.errors.at(-1)).toEqual({
    field: 'configs.0.[redacted]',
    reason: '[redacted] is too weak for web-1; a key begins with -----BEGIN PRIVATE KEY-----',
  });
  const told = JSON.stringify([error, error.message, error.stack, changes]);
  for (const one of [secret, ...lines, 'q7last']) expect(told).not.toContain(one);
});

test('of a refusal, what is too short to be a secret stays readable', async () => {
  const { url } = await serve((_request, response) =>
    json(response, { errors: [{ reason: 'sesam is shorter than sesame' }] }, 400),
  );
  const refusedFor = async (root_pass: string) =>
    (await failure(client(url).api.send(create, { body: { root_pass } }))).errors[0]?.reason;
  expect(await refusedFor('sesame')).toBe('sesam is shorter than [redacted]');
  expect(await refusedFor('sesam')).toBe('sesam is shorter than sesame');
});

test('a secret that names a row is told in no path, though it is sent there', async () => {
  const token = '123E4567-E89B-12D3-A456-426614174000';
  const accept: Operation = { method: 'POST', path: `${version}/account/entity-transfers/{token}/accept` };
  const { url, seen } = await serve((_request, response) =>
    json(response, { errors: [{ reason: `Transfer ${token} is over` }] }, 400),
  );
  const told: unknown[] = [];
  const note = (one: object) => void told.push(one);
  const onTold = { onCall: note, onChange: note, beforeChange: async (one: object) => note(one) };
  const exchanges = { record: ({ request }: Exchange) => note({ told: request.told }) };
  const { api } = client(url, { ...onTold, exchanges });
  const params = { token };
  const record = { resource: 'entity-transfers', action: 'accept', params, label: token };
  told.push((await failure(api.send(accept, { params, record }))).message, api.preview(accept, { params }));
  expect(seen.map((one) => one.url.pathname)).toEqual([`${version}/account/entity-transfers/${token}/accept`]);
  expect(JSON.stringify(told)).not.toContain(token);
  expect(told).toContainEqual(
    expect.objectContaining({ path: `${version}/account/entity-transfers/[redacted]/accept`, status: 400 }),
  );
  expect(told).toContainEqual({ told: `${version}/account/entity-transfers/[redacted]/accept` });
  expect(told).toContainEqual(expect.objectContaining({ params: { token: '[redacted]' }, label: '[redacted]' }));
});

test('a preview shows the exact request without its secrets', () => {
  const { api } = client('https://api.example.com/cloud/', { vocabulary: { server: 'acme' } });
  const preview = api.preview(create, { body: { label: "it's", image: 'server/debian12', root_pass: secret } });
  expect(preview).toMatchObject({ method: 'POST', url: `https://api.example.com/cloud${version}/acme/instances` });
  expect(JSON.parse(preview.body)).toEqual({ label: "it's", image: 'acme/debian12', root_pass: '[redacted]' });
  expect(preview.curl).toBe(
    [
      'curl -X POST',
      '-H "Authorization: Bearer $SKYDECK_TOKEN"',
      `-H 'Content-Type: application/json'`,
      `-d '{"label":"it'\\''s","image":"acme/debian12","root_pass":"[redacted]"}'`,
      `'https://api.example.com/cloud${version}/acme/instances'`,
    ].join(' \\\n  '),
  );
  expect(JSON.stringify(preview)).not.toContain('secret-token-of-the-test');
});

test('a preview of a read has its query and filter, and no token where there is none', () => {
  const { api } = client('https://api.example.com', { token: undefined });
  const list: ListOperation = { method: 'GET', path: `${version}/volumes`, pages: 'numbered' };
  const preview = api.preview(list, { query: { page: 2 }, filter: { label: 'a' } });
  expect(preview).toEqual({
    method: 'GET',
    url: `https://api.example.com${version}/volumes?page=2`,
    body: '',
    curl: `curl \\\n  -H 'X-Filter: {"label":"a"}' \\\n  'https://api.example.com${version}/volumes?page=2'`,
  });
});

test('a preview of a form names its files', () => {
  const form = new FormData();
  form.append('file', new File(['12345'], 'report.txt'));
  const attach: Operation = { method: 'POST', path: `${version}/support/tickets/{ticketId}/attachments` };
  const preview = client('https://api.example.com').api.preview(attach, { params: { ticketId: '9' }, form });
  expect(preview.body).toBe('file: file report.txt, 5 bytes');
  expect(preview.curl).toContain(`-F 'file=@report.txt'`);
});
