import { ApiError } from '../../../src/api/error.ts';
import type { Row } from '../../../src/resources/resource.ts';
import { apiOn, onePage } from '../apiOn.ts';
import { eventOf } from '../openStores.ts';

/** The way that a server takes its resize: up after so many seconds, never up, or its job fails. */
export type Reboot = number | 'never' | 'fails';

interface Options {
  checkSeconds?: number;
  nodeLag?: number;
  /** The status of the event of a job that goes on, and of one that has ended well. */
  startedWord?: string | null;
  finishedWord?: string | null;
}

/** Servers behind port 80 of a NodeBalancer, which reboot by a change of their type; time is that of the test. */
export function rollingCloud(reboots: readonly Reboot[], options: Options = {}) {
  const { checkSeconds = 3, nodeLag = 0, startedWord = 'started', finishedWord = 'finished' } = options;
  const sent: string[] = [];
  const jobs: { id: number; server: number; from: number; how: Reboot }[] = [];
  /** The servers that somebody has deleted. */
  const gone = new Set<number>();
  const modes = new Map<number, string>();
  const isOver = ({ from, how }: (typeof jobs)[number]) =>
    Date.now() >= from + (typeof how === 'number' ? how : 4) * 1000;
  const jobOf = (id: number) => jobs.findLast(({ server }) => server === id);
  /** Whether its job ended so many seconds ago. */
  const isUp = (id: number, ago = 0) => {
    const job = jobOf(id);
    return !job || (job.how !== 'never' && isOver({ ...job, from: job.from + ago * 1000 }));
  };
  const serverRow = (id: number): Row => ({
    id,
    label: `web-${id}`,
    status: isUp(id) ? 'running' : 'rebooting',
    type: 'g6-standard-2',
    region: 'us-east',
    ipv4: [`192.168.128.${id}`],
    tags: [],
  });
  const nodeRow = (id: number): Row => ({
    id,
    label: `node-${id}`,
    address: `192.168.128.${id}:80`,
    status: isUp(id, nodeLag) ? 'UP' : 'DOWN',
    mode: modes.get(id) ?? 'accept',
    weight: 100,
    config_id: 31,
    nodebalancer_id: 7,
  });
  const balancer: Row = { id: 7, label: 'web-lb', region: 'us-east' };
  const config: Row = {
    id: 31,
    port: 80,
    protocol: 'http',
    check: 'http',
    check_interval: checkSeconds,
    nodebalancer_id: 7,
  };
  const ids = reboots.map((_, index) => index + 1);
  const event = ({ id, server, how, ...job }: (typeof jobs)[number]) => {
    const status = !isOver({ id, server, how, ...job }) ? startedWord : how === 'fails' ? 'failed' : finishedWord;
    const created = new Date(job.from).toISOString().slice(0, 19);
    const percent_complete = isOver({ id, server, how, ...job }) ? 100 : 0;
    const entity = { type: 'server', id: server, label: `web-${server}` };
    return { ...eventOf(id, 'server_resize', 'started', entity, { created, percent_complete }), status };
  };
  const api = apiOn(async ({ method, path }, { params = {}, body } = {}) => {
    const own = Number(params.nodeId ?? params.serverId);
    const answer = (body: unknown) => ({ status: 200, body });
    if (method === 'GET') {
      if (path.includes('events')) return answer(onePage(jobs.toReversed().map(event)));
      if (path.endsWith('/nodes')) return answer(onePage(ids.map(nodeRow)));
      if (path.endsWith('/configs')) return answer(onePage([config]));
      if (path.endsWith('/nodebalancers')) return answer(onePage([balancer]));
      if (path.endsWith('{nodeBalancerId}')) return answer(balancer);
      if (path.endsWith('{configId}')) return answer(config);
      if (path.endsWith('{nodeId}')) return answer(nodeRow(own));
      if (gone.has(own) && path.endsWith('{serverId}'))
        throw new ApiError({ kind: 'answer', status: 404, method, path, message: 'Not found' });
      if (path.endsWith('{serverId}')) return answer(serverRow(own));
      return answer(onePage(path.endsWith('/instances') ? ids.map(serverRow) : []));
    }
    if (path.endsWith('{nodeId}')) {
      const { mode } = body as Row;
      sent.push(`${mode} ${own}`);
      modes.set(own, String(mode));
      return answer(nodeRow(own));
    }
    if (jobs.some((job) => job.server === own && !isOver(job)))
      throw new ApiError({ kind: 'answer', status: 400, method, path, message: 'Server busy.' });
    sent.push(`resize ${own}`);
    jobs.push({ id: jobs.length + 10, server: own, from: Date.now(), how: reboots[own - 1] ?? 0 });
    return answer({});
  });
  /** The servers that are down, or whose node is. */
  const down = () => ids.filter((id) => !isUp(id, nodeLag));
  return { api, sent, gone, down, jobs, serverRow };
}
