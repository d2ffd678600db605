import { randomUUID } from 'node:crypto'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { Transport } from 'nodemailer'
import type { Pool } from 'pg'
import { z } from 'zod'
import { listPage, messagePage, type StoredMessage } from './pages.ts'

export interface Mailbox {
  /** A nodemailer transport that keeps messages instead of sending them. */
  transport: Transport
  /** Serves /dev/mailbox. */
  plugin: FastifyPluginAsync
}

const TABLES = `
  create schema if not exists standin;
  create table if not exists standin.mail_messages (
    id int generated always as identity primary key,
    message_id text not null,
    sender text not null,
    recipients text not null,
    subject text not null,
    text text not null,
    html text,
    sent_at timestamptz not null default now()
  );`
const COLUMNS = `id, sender, recipients, subject, text, html, sent_at as "sentAt"`
const LATEST = `select ${COLUMNS} from standin.mail_messages
  where $1::text is null or recipients ilike '%' || $1 || '%' order by id desc limit 100`

const ListQuery = z.object({
  to: z
    .string()
    .min(1)
    .refine((text) => !text.includes('\u0000'))
    .nullable()
    .default(null),
})
const MessageParams = z.object({ id: z.coerce.number().int().min(1).max(2_147_483_647) })

/** A mail server for a machine that has none: what is sent can be read at /dev/mailbox, also after a restart. */
export async function openMailbox({ pool }: { pool: Pool }): Promise<Mailbox> {
  await createTables(pool)
  return {
    transport: mailboxTransport(pool),
    plugin: async (app) => {
      app.get('/dev/mailbox', async (request, reply) => {
        const { to } = ListQuery.parse(request.query)
        const { rows } = await pool.query<StoredMessage>(LATEST, [to])
        const wanted = negotiate(request.headers.accept ?? '*/*', ['application/json', 'text/html'])
        return wanted === 'text/html' ? sendPage(reply, listPage(rows)) : rows
      })
      app.get('/dev/mailbox/:id', async (request, reply) => {
        const { id } = MessageParams.parse(request.params)
        const { rows } = await pool.query<StoredMessage>(`select ${COLUMNS} from standin.mail_messages where id = $1`, [
          id,
        ])
        if (!rows[0]) return reply.code(404).send({ error: 'Message not found' })
        return sendPage(reply, messagePage(rows[0]))
      })
    },
  }
}

function mailboxTransport(pool: Pool): Transport {
  return {
    name: 'mailbox',
    version: '1',
    send({ data, message }, callback) {
      const messageId = message.messageId() || `<${randomUUID()}@mailbox>`
      const recipients = message.getEnvelope().to
      const values = [messageId, message.getHeader('From'), recipients.join(', '), data.subject, data.text, data.html]
      pool
        .query(
          `insert into standin.mail_messages (message_id, sender, recipients, subject, text, html)
            values ($1, $2, $3, coalesce($4, ''), coalesce($5, ''), $6)`,
          values,
        )
        .then(
          () => callback(null, { envelope: { from: '', to: recipients }, messageId }),
          (error: Error) => callback(error, { envelope: { from: '', to: [] }, messageId }),
        )
    },
  }
}

// Servers that start together wait for each other: "if not exists" alone does not prevent conflicts.
async function createTables(pool: Pool) {
  const client = await pool.connect()
  try {
    await client.query(`begin; select pg_advisory_xact_lock(hashtextextended('standin.mail_messages', 0))`)
    await client.query(TABLES)
    await client.query('commit')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'"

/** Letters are shown in it with whatever styles they have. */
function sendPage(reply: FastifyReply, page: string) {
  return reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(page)
}
