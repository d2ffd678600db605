import { startMailServer } from '#support/mail-server.ts'

/** A mail server in a separate process, with this delay in milliseconds per message. */
const milliseconds = Number(process.env['MILLISECONDS'])
const { url } = await startMailServer({ milliseconds: () => milliseconds, treat: () => 'take' })
process.on('SIGTERM', () => process.exit())
console.log(`The mail server is ready at ${url}.`)
