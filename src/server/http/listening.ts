import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'

/** How many requests a connection may send before it has read an answer. Browsers, proxies and most programs send one. */
const MOST_AT_ONCE = 20

interface ServerSettings {
  keepAliveTimeout?: number
  requestTimeout?: number
}

/**
 * Makes the HTTP server of an app. Node hands over all requests that a connection has sent together, whether or not it reads
 * the answers: a few hundred kilobytes would occupy the server for a minute, and fill its memory with answers. Here they
 * wait for each other, and a connection that sends too many is closed.
 */
export function openServer(handle: RequestListener, { keepAliveTimeout, requestTimeout }: ServerSettings): Server {
  return createServer({ keepAliveTimeout, requestTimeout }, oneByOne(handle))
}

function oneByOne(handle: RequestListener): RequestListener {
  /** Of each connection, the request under way and those that wait. */
  const queues = new WeakMap<Socket, (() => void)[]>()
  return (request, answer) => {
    const { socket } = request
    // It was closed for what came together with this.
    if (socket.destroyed) return
    const queue = queues.get(socket) ?? []
    if (queue.length >= MOST_AT_ONCE) return void socket.resetAndDestroy()
    queues.set(socket, queue)
    queue.push(() => handle(request, answer))
    answer.once('close', () => {
      queue.shift()
      if (socket.writable) queue[0]?.()
    })
    if (queue.length === 1) queue[0]?.()
  }
}
