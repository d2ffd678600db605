import { AsyncResource } from 'node:async_hooks'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How many requests a connection may send before it has read an answer. Browsers, proxies and most programs send one. */
const MOST_AT_ONCE = 20

/**
 * Answers the requests of a connection one after the other. Node hands over all that it has sent together, whether or not it
 * reads the answers: a few hundred kilobytes would occupy the server for a minute, and fill its memory with answers. A
 * connection that sends too many is closed. Comes before all other hooks.
 */
export function answerOneByOne(app: FastifyInstance): void {
  const lines = new WeakMap<Socket, Line>()
  app.addHook('onRequest', ({ raw: { socket } }, { raw: answer }, done) => {
    // It was closed for what came together with this.
    if (socket.destroyed) return
    const line = lines.get(socket) ?? openLine(socket)
    lines.set(socket, line)
    if (line.waiting.length + 1 >= MOST_AT_ONCE) return void socket.resetAndDestroy()
    answer.once('close', line.beginNext)
    // Whoever begins it later, it belongs to a trace of its own.
    if (line.isBusy) return void line.waiting.push(AsyncResource.bind(() => done()))
    line.isBusy = true
    done()
  })
}

/** The requests of a connection. */
interface Line {
  /** One is under way. */
  isBusy: boolean
  waiting: (() => void)[]
  beginNext: () => void
}

function openLine(socket: Socket): Line {
  const line: Line = {
    isBusy: false,
    waiting: [],
    beginNext: () => {
      const begin = line.waiting.shift()
      line.isBusy = begin !== undefined
      if (socket.writable) begin?.()
    },
  }
  return line
}
