import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { fc, test as property } from '@fast-check/vitest'
import type { Transport } from 'nodemailer'
import addressParser from 'nodemailer/lib/addressparser'
import { describe, expect, onTestFinished, test } from 'vitest'
import { mailFailureOf } from './mail-failure.ts'
import { openMailer, type Message } from './mailer.ts'

const FROM = 'TRAXX <reminders@traxx.test>'
const MESSAGE = { to: 'orders@harbor.test', subject: 'Hello', text: 'Hello.' }

/** The message as it would go over the wire. */
async function sent(message: Partial<Message>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const transport: Transport = {
    name: 'wire',
    version: '1',
    send: ({ message: built }, callback) => {
      built.build((error, bytes) => (error ? reject(error) : resolve(String(bytes))))
      callback(null, { envelope: built.getEnvelope(), messageId: built.messageId() })
    },
  }
  await openMailer(FROM, transport).send({ ...MESSAGE, ...message })
  return promise
}

function headersOf(wire: string): string[] {
  return (wire.split('\r\n\r\n')[0] ?? '').replaceAll(/\r\n\s+/g, ' ').split('\r\n')
}

test('a message comes under the name of the sender, from our address, and is answered to theirs', async () => {
  const headers = headersOf(await sent({ senderName: 'Harbor Supplies', replyTo: 'owner@supplies.test' }))
  expect(headers).toContain('From: Harbor Supplies <reminders@traxx.test>')
  expect(headers).toContain('Reply-To: owner@supplies.test')
})

test('a name is no more than a name, whatever is in it', async () => {
  const headers = headersOf(await sent({ senderName: '" <evil@example.com>, "\\' }))
  const from = headers.filter((header) => header.startsWith('From:'))
  expect(from).toHaveLength(1)
  expect(from[0]).toMatch(/<reminders@traxx\.test>$/)
  expect(from[0]).not.toMatch(/[^\\]" <evil/)
})

test.each([
  ['=?utf-8?q?First_National_Bank?=', '"= ?utf-8?q?First_National_Bank?="'],
  ['ceo@bank.example', 'ceo at bank. example'],
  ['https://bank.example', 'https: bank. example'],
  ['\u202eBank\u200b', 'Bank'],
  ['Bank\r\nBcc: victim@example.com', 'Bank Bcc: victim at example. com'],
  ['\u200b\u2060', 'TRAXX'],
])('a name from before there were rules is made plain: %j', async (senderName, shown) => {
  const [from] = headersOf(await sent({ senderName })).filter((header) => header.startsWith('From:'))
  expect(from?.replaceAll('"', '')).toBe(`From: ${shown.replaceAll('"', '')} <reminders@traxx.test>`)
})

test('a mail program can offer to unsubscribe with one click', async () => {
  const headers = headersOf(await sent({ unsubscribeUrl: 'https://traxx.test/unsubscribe/1.2.x' }))
  expect(headers).toContain('List-Unsubscribe: <https://traxx.test/unsubscribe/1.2.x>')
  expect(headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
})

test('one key has one Message-ID', async () => {
  expect(headersOf(await sent({ key: 'reminder-7.abc' }))).toContain('Message-ID: <reminder-7.abc@traxx.test>')
  expect(openMailer(FROM, 'smtp://127.0.0.1:9').messageIdOf('k')).toBe('<k@traxx.test>')
})

test.each(['\r\nBcc: victim@example.com', '\nBcc: victim@example.com', '\u2028Bcc: victim@example.com'])(
  'no header can be smuggled in by any field: %j',
  async (evil) => {
    const wire = await sent({
      subject: `Hello${evil}`,
      senderName: `Harbor${evil}`,
      replyTo: `owner@supplies.test${evil}`,
      to: `orders@harbor.test${evil}`,
      key: `k${evil}`,
    }).catch((error: unknown) => String(error))
    expect(headersOf(wire).filter((header) => /^bcc:/i.test(header))).toEqual([])
  },
)

test('a subject says no more than its characters', async () => {
  const headers = headersOf(await sent({ subject: 'Pay at =?utf-8?Q?evil=2Eexample?= =?utf-8?B?VFJBWFg=?=' }))
  expect(headers.join('\n')).toContain('Subject: Pay at = ?utf-8?Q?evil=2Eexample?= = ?utf-8?B?VFJBWFg= ?=')
})

const PIECES = [
  '"',
  '\\',
  ',',
  ';',
  ':',
  '<',
  '>',
  '@',
  '(',
  ')',
  '=?',
  '?=',
  '\r\n',
  '\n',
  '\u0085',
  '\u2028',
  '\0',
  '\t',
]
const words = fc.array(fc.constantFrom(...PIECES, 'Bcc', ' ', 'é', 'a', '<e@evil.test>', 'group:', '\ud83d'), {
  maxLength: 12,
})

property.prop([words, words, words])(
  'no text of an account changes a header but its own',
  async (name, subject, text) => {
    const [senderName, rest] = [name.join(''), { subject: `S${subject.join('')}`, text: text.join('') }]
    const headers = headersOf(await sent({ senderName, ...rest, replyTo: 'owner@supplies.test' }))
    const found = headers.map((header) => header.slice(0, header.indexOf(':')))
    const ofContent = ['Content-Transfer-Encoding', 'Content-Type', 'MIME-Version', 'Date', 'Message-ID']
    const written = found.filter((header) => !ofContent.includes(header))
    expect(written.toSorted()).toEqual(['From', 'Reply-To', 'Subject', 'To'])
    const from = headers.find((header) => header.startsWith('From: ')) ?? ''
    expect(addressParser(from.slice('From: '.length), { flatten: true })).toMatchObject([
      { address: 'reminders@traxx.test' },
    ])
  },
)

test('a subject turns no direction', async () => {
  expect(headersOf(await sent({ subject: 'Hello\u202E\u200B there\u2067' }))).toContain('Subject: Hello there')
})

test('an address that looks like several is no more than one', async () => {
  const transport: Transport = {
    name: 'envelope',
    version: '1',
    send: ({ message }, callback) => callback(null, { envelope: message.getEnvelope(), messageId: '' }),
  }
  const spied: string[] = []
  const spy: Transport = {
    ...transport,
    send: (mail, callback) => {
      spied.push(...mail.message.getEnvelope().to)
      transport.send(mail, callback)
    },
  }
  await openMailer(FROM, spy).send({ ...MESSAGE, to: 'a@harbor.test, b@harbor.test' })
  expect(spied).toHaveLength(1)
})

test('messages at once share a few connections, and those that follow use them again', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    const willing = {
      EHLO: '250 ok',
      MAIL: '250 ok',
      RCPT: '250 ok',
      DATA: '354 go on',
      '.': '250 ok',
      QUIT: '221 bye',
    }
    serve(socket, willing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => stop(server))
  const mailer = openMailer(FROM, `smtp://127.0.0.1:${portOf(server)}?maxConnections=3`)
  await Promise.all(Array.from({ length: 30 }, () => mailer.send(MESSAGE)))
  expect(connections).toBe(3)
})

describe('a failure', () => {
  const OK = '250 ok'
  /** A mail server that answers each command as told, and hangs up where it is told nothing. */
  async function against(answers: Record<string, string>): Promise<unknown> {
    const server = createServer((socket) => serve(socket, answers))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => stop(server))
    return openMailer(FROM, `smtp://127.0.0.1:${portOf(server)}`)
      .send(MESSAGE)
      .then(
        () => undefined,
        (error: unknown) => mailFailureOf(error),
      )
  }
  const willing = { EHLO: OK, MAIL: OK, RCPT: OK, DATA: '354 go on', '.': OK }

  test('is none where the server takes the message', async () => {
    expect(await against(willing)).toBeUndefined()
  })

  test('is for good where the server refuses the address or the message', async () => {
    expect(await against({ ...willing, RCPT: '550 no such user' })).toBe('refused')
    expect(await against({ ...willing, '.': '554 spam' })).toBe('refused')
  })

  test('is of this message alone where the server takes others meanwhile', async () => {
    expect(await against({ ...willing, RCPT: '452 mailbox full' })).toBe('deferred')
    expect(await against({ ...willing, '.': '451 greylisted' })).toBe('deferred')
  })

  test('is of any message where the server is about to hang up, takes none from us, or was never reached', async () => {
    expect(await against({ ...willing, RCPT: '421 shutting down' })).toBe('unreachable')
    expect(await against({ ...willing, MAIL: '451 later' })).toBe('unreachable')
    const nobody = await openMailer(FROM, 'smtp://127.0.0.1:9')
      .send(MESSAGE)
      .catch((error: unknown) => mailFailureOf(error))
    expect(nobody).toBe('unreachable')
  })

  test('can be tried again where the server hangs up before anything was said', async () => {
    const server = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => stop(server))
    const failed = openMailer(FROM, `smtp://127.0.0.1:${portOf(server)}`).send(MESSAGE)
    expect(await failed.catch(mailFailureOf)).toBe('unreachable')
  })

  test.each([
    ['nothing', '', 'greetingTimeout', 'unreachable'],
    ['nothing more than a greeting', '220 hello\r\n', 'socketTimeout', 'unknown'],
  ])('is soon known where the server says %s', async (_what, greeting, limit, failure) => {
    const server = createServer(
      (socket) =>
        void socket
          .on('error', () => {})
          .resume()
          .write(greeting),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => stop(server))
    const failed = openMailer(FROM, `smtp://127.0.0.1:${portOf(server)}?${limit}=50`).send(MESSAGE)
    expect(await failed.catch(mailFailureOf)).toBe(failure)
  })

  test('leaves it open whether the message was sent where the server hangs up on it', async () => {
    expect(await against({ ...willing, '.': '' })).toBe('unknown')
  })
})

function serve(socket: Socket, answers: Record<string, string>) {
  let inMessage = false
  let rest = ''
  socket.on('error', () => {})
  socket.write('220 ready\r\n')
  socket.on('data', (bytes) => {
    const lines = (rest + String(bytes)).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (inMessage && line !== '.') continue
      const command = line.split(' ')[0] ?? ''
      const answer = answers[command]
      inMessage = command === 'DATA'
      if (answer) socket.write(`${answer}\r\n`)
      else socket.destroy()
    }
  })
}

function portOf(server: Server): number {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- a server on a TCP port has such an address
  return (server.address() as AddressInfo).port
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
