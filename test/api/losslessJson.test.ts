import { expect, test } from 'vitest';
import type { Operation } from '../../src/resources/resource.ts';
import { client, serve, version } from './server.ts';

const list: Operation = { method: 'GET', path: `${version}/volumes` };
const attach: Operation = { method: 'POST', path: `${version}/volumes/{volumeId}/attach` };

const big = '9007199254740993';

/** A client that has read these rows, and the server behind it. */
async function read(text: string) {
  const { url, seen } = await serve((_, response) => response.end(text));
  const { api } = client(url);
  const { body } = await api.send(list);
  return { api, body, seen };
}

test('numbers that cannot be held are read as they are written, all others as numbers', async () => {
  const text = `{"data": [{"id": ${big}, "size": 20, "n": -${big}, "ids": [${big}, 7], "share": 0.1234567890123456,
    "most": 9007199254740991, "huge": 1e300, "label": "${big}", "text": ": 9007199254740993"}]}`;
  expect((await read(text)).body).toEqual({
    data: [
      {
        id: big,
        size: 20,
        n: `-${big}`,
        ids: [big, 7],
        share: 0.1234567890123456,
        most: 9007199254740991,
        huge: 1e300,
        label: big,
        text: ': 9007199254740993',
      },
    ],
  });
});

test('they go back as the numbers that they were, in paths, bodies and previews; texts stay texts', async () => {
  const { api, seen } = await read(`{"data": [{"id": ${big}, "server_id": ${big}1}]}`);
  const request = {
    params: { volumeId: big },
    body: {
      id: big,
      server_id: `${big}1`,
      servers: [big, 12],
      label: big,
      tags: [big],
      nodes: [{ id: big }],
      other_id: '1',
    },
  };
  const sent = `{"id":${big},"server_id":${big}1,"servers":[${big},12],"label":"${big}","tags":["${big}"],"nodes":[{"id":${big}}],"other_id":"1"}`;
  await api.send(attach, request);
  expect(seen[1]?.url.pathname).toBe(`${version}/volumes/${big}/attach`);
  expect(seen[1]?.body).toBe(sent);
  const preview = api.preview(attach, request);
  expect(preview.body.replace(/\s+/g, '')).toBe(sent);
  expect(preview.curl).toContain(sent);
});

test('digits that never came as a number stay a text', async () => {
  const { api, seen } = await read('{"data": [{"id": 1}]}');
  await api.send(attach, { params: { volumeId: '1' }, body: { access_id: big } });
  expect(seen[1]?.body).toBe(`{"access_id":"${big}"}`);
});
