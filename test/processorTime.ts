/** The processor time of this thread so far, in ms: it counts the work, and not the wait for a core on a loaded machine. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
