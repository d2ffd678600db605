import { getHeapStatistics } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

// Loaded into a server before its own code: at SIGUSR2 it keeps objects until its heap is as full as HEAP_SHARE says.
if (isMainThread) {
  const share = Number(process.env['HEAP_SHARE'])
  const kept: object[][] = []
  const isFull = () => {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
    return used > share * limit
  }
  const grow = () => {
    if (isFull()) {
      console.log('The heap is full')
      return
    }
    kept.push(Array.from({ length: 100_000 }, (_, n) => ({ n, text: `${kept.length}` })))
    setImmediate(grow)
  }
  process.on('SIGUSR2', grow)
}
