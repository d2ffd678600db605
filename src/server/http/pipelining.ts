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
  /** Of each connection, the request under way and those that wait. */
  const queues = new WeakMap<Socket, (() => void)[]>()
  app.addHook('onRequest', ({ raw: { socket } }, { raw: answer }, done) => {
    // It was closed for what came together with this.
    if (socket.destroyed) return
    const queue = queues.get(socket) ?? []
    if (queue.length >= MOST_AT_ONCE) return void socket.resetAndDestroy()
    queues.set(socket, queue)
    // Whoever has begun it by then, it belongs to a trace of its own.
    queue.push(AsyncResource.bind(() => done()))
    answer.once('close', () => {
      queue.shift()
      if (socket.writable) queue[0]?.()
    })
    if (queue.length === 1) queue[0]?.()
  })
}
