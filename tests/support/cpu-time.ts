/** Returns the CPU time in milliseconds that the work takes in this process. Other work on the machine is not counted. */
export function measureCpuTime(work: () => void): number {
  const start = process.cpuUsage();
  work();
  return process.cpuUsage(start).user / 1000;
}
