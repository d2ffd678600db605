import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'

/** How many requests of a connection may be under way at once. Browsers, proxies and most programs send one. */
const MOST_AT_ONCE = 20

interface ServerSettings {
  keepAliveTimeout?: number
  requestTimeout?: number
}

/**
 * Makes the HTTP server of an app. Node hands over all requests that a connection has sent together, whether or not it has
 * read an answer: a few hundred kilobytes would occupy the server for a minute, and fill its memory with answers. A
 * connection that has too many under way is closed.
 */
export function openServer(handle: RequestListener, { keepAliveTimeout, requestTimeout }: ServerSettings): Server {
  return createServer({ keepAliveTimeout, requestTimeout }, closingFloods(handle))
}

function closingFloods(handle: RequestListener): RequestListener {
  const underWay = new WeakMap<Socket, number>()
  return (request, answer) => {
    const { socket } = request
    // What had come together with the request for which it was closed.
    if (socket.destroyed) return
    const count = underWay.get(socket) ?? 0
    if (count >= MOST_AT_ONCE) return void socket.resetAndDestroy()
    underWay.set(socket, count + 1)
    answer.once('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1))
    handle(request, answer)
  }
}
