import { isMainThread } from 'node:worker_threads'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Loaded into a server before its own code: on SIGUSR2 it collects garbage and writes what is left, as a line of log.
if (isMainThread) {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  let count = 0
  process.on('SIGUSR2', () => {
    count += 1
    // What a finalizer frees is gone only with the next collection.
    collect()
    setImmediate(() => {
      collect()
      console.log(JSON.stringify({ level: 30, msg: `heap ${count}`, memory: process.memoryUsage() }))
    })
  })
}
