import { isMainThread } from 'node:worker_threads'

// Loaded into a server before its own code: at SIGUSR2 whatever it has cached becomes so much older at once.
if (isMainThread) {
  const now = performance.now.bind(performance)
  let movedBy = 0
  performance.now = () => now() + movedBy
  process.on('SIGUSR2', () => {
    movedBy += Number(process.env['MOVE_CLOCK_BY_MS'])
    console.log('The clock has moved')
  })
}
