export async function timed<T>(work: () => Promise<T>): Promise<{ seconds: number; result: T }> {
  const begun = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - begun) / 1000 }
}

/** Returns the peak memory of this process since, in megabytes. */
export function watchMemory(): () => number {
  let peak = 0
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50)
  return () => {
    clearInterval(timer)
    return megabytes(peak)
  }
}

export function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024)
}
