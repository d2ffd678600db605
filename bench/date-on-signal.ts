import { isMainThread } from 'node:worker_threads'

// Loaded into a server before its own code: each SIGUSR2 sets its clock to the next of these hours from the real time.
if (isMainThread) {
  const RealDate = Date
  const hours = (process.env['CLOCK_HOURS'] ?? '').split(',').map(Number)
  let movedBy = 0
  const now = () => RealDate.now() + movedBy
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
  process.on('SIGUSR2', () => {
    movedBy = (hours.shift() ?? 0) * 3_600_000
    console.log(`The clock differs by ${movedBy / 3_600_000} hours`)
  })
}
