import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { pipeline } from 'node:stream'

/** Passes each call to the next server, as HAProxy does, and says in `x-served-by` which one that was. */
export async function startRoundRobin(port: number, servers: readonly string[]) {
  let calls = 0
  const proxy = createServer((asked, answer) => {
    const server = servers[calls % servers.length] ?? ''
    calls += 1
    const { method, headers } = asked
    const passed = { ...headers, 'x-forwarded-for': '10.0.0.9' }
    const onward = request(new URL(asked.url ?? '/', server), { method, headers: passed }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, { ...answered.headers, 'x-served-by': server })
      pipeline(answered, answer, () => {})
    })
    pipeline(asked, onward, (error) => error && answer.destroy())
  }).listen(port, 'localhost')
  await once(proxy, 'listening')
  return {
    url: `http://localhost:${port}`,
    stop: async () => {
      proxy.close().closeAllConnections()
      await once(proxy, 'close')
    },
  }
}
