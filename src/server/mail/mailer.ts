import { createTransport, type Transport } from 'nodemailer'

export interface Message {
  to: string
  subject: string
  text: string
  html?: string
}

export interface Mailer {
  send(message: Message): Promise<{ messageId: string }>
}

/** The one place that sends mail: by SMTP, or into whatever transport stands in for it. */
export function openMailer(from: string, transport: string | Transport): Mailer {
  const sender = typeof transport === 'string' ? createTransport(transport) : createTransport(transport)
  return {
    async send(message) {
      const { messageId } = await sender.sendMail({ from, ...message })
      return { messageId }
    },
  }
}
