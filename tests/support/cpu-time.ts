/** Returns the CPU time that the work takes in this process in user mode, in milliseconds. Other work on the machine is not counted. */
export function measureCpuTime(work: () => void): number {
  const start = process.cpuUsage();
  work();
  return process.cpuUsage(start).user / 1000;
}
