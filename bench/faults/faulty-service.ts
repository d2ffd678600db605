import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** How a service outside fails. */
export type Failing = 'down' | 'slow' | 'wrong'

const SLOW_MS = 30_000
const NONSENSE = '{"nonsense":true}'
const ANSWERS = {
  HTTP: `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${NONSENSE.length}\r\n\r\n${NONSENSE}`,
  SMTP: '299 nonsense\r\n',
}

/** A service that ends connections at once, answers nothing for 30 seconds, or answers what makes no sense. */
export async function startFaultyService(protocol: keyof typeof ANSWERS) {
  let failing: Failing = 'down'
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    if (failing === 'down') socket.destroy()
    if (failing === 'slow') setTimeout(() => socket.destroy(), SLOW_MS).unref()
    if (failing !== 'wrong') return
    if (protocol === 'SMTP') socket.write(ANSWERS.SMTP)
    socket.on('data', () => void socket.write(ANSWERS[protocol]))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    fail: (how: Failing) => {
      failing = how
    },
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
