import { EventEmitter, once } from 'node:events'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'

/** What the server does with a message whose last byte it has: a hang-up comes before it has answered. */
export type Treatment = 'take' | 'take and hang up' | 'drop and hang up' | 'refuse for now'

export interface MailServer {
  url: string
  /** The Message-IDs and addresses of what was taken, in that order. */
  taken: { messageId: string; to: string }[]
  /** Resolves when the next message comes in, or none has for so long. */
  nextMessage(milliseconds: number): Promise<unknown>
  stop(): Promise<void>
}

/** With what the server answers a command instead of taking it. */
export interface Refusal {
  command: 'MAIL FROM' | 'RCPT TO' | 'DATA'
  responseCode: number
  text: string
}

interface Behaviour {
  /** How long each message takes. */
  milliseconds: () => number
  treat: () => Treatment
  refusal?: () => Refusal | undefined
}

/** A real SMTP server in this process. */
export async function startMailServer({ milliseconds, treat, refusal }: Behaviour): Promise<MailServer> {
  const sockets = new Map<number, Socket>()
  const taken: MailServer['taken'] = []
  const arrivals = new EventEmitter()
  const answerTo = (command: Refusal['command']) => {
    const refused = refusal?.()
    return refused?.command === command ? Object.assign(new Error(refused.text), refused) : undefined
  }
  const receive = async (stream: SMTPServerDataStream, { envelope, remotePort }: SMTPServerSession) => {
    const message = await text(stream)
    arrivals.emit('message')
    await pause(milliseconds())
    const refused = answerTo('DATA')
    if (refused) throw refused
    const treatment = treat()
    if (treatment === 'refuse for now') throw Object.assign(new Error('Try again later'), { responseCode: 451 })
    if (treatment !== 'drop and hang up') {
      // A long header goes on in the next line.
      const messageId = /^Message-ID:\s+(\S+)/im.exec(message)?.[1] ?? ''
      taken.push({ messageId, to: envelope.rcptTo[0]?.address ?? '' })
    }
    if (treatment !== 'take') sockets.get(remotePort)?.destroy()
  }
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onMailFrom: (_address, _session, callback) => callback(answerTo('MAIL FROM')),
    onRcptTo: (_address, _session, callback) => callback(answerTo('RCPT TO')),
    onData: (stream, session, callback) => {
      receive(stream, session).then(() => callback(), callback)
    },
  })
  // A client that is killed resets its connection.
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    const port = socket.remotePort ?? 0
    sockets.set(port, socket)
    socket.on('close', () => sockets.delete(port))
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    nextMessage: (milliseconds) =>
      once(arrivals, 'message', { signal: AbortSignal.timeout(milliseconds) }).catch(() => {}),
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
