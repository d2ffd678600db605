import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { answerError } from '#server/rest/answers/errors.ts'
import { refuseWhileStopping } from './stopping.ts'

test('a request under way is answered while the server stops, and what arrives then is refused for a few seconds', async () => {
  const app = Fastify({ return503OnClosing: false })
  const [begun, released, stopping] = [0, 1, 2].map(() => Promise.withResolvers<void>())
  if (!begun || !released || !stopping) throw new Error('There are three')
  refuseWhileStopping(app)
  app.setErrorHandler(answerError)
  app.addHook('preClose', async () => stopping.resolve())
  app.get('/slow', async () => {
    begun.resolve()
    await released.promise
    return 'answered'
  })
  app.get('/quick', async () => 'served')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const client = connect(Number(Reflect.get(Object(app.server.address()), 'port')), '127.0.0.1')
  let received = ''
  client.on('data', (bytes) => (received += bytes.toString()))
  client.write('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n')
  await begun.promise
  const closed = app.close()
  await stopping.promise
  const refused = once(app.server, 'request')
  client.write('GET /quick HTTP/1.1\r\nhost: a\r\n\r\n')
  await refused
  released.resolve()
  await once(client, 'close')
  await closed
  const [first, second] = received.split(/(?=HTTP\/1\.1 )/)
  expect(first).toMatch(/^HTTP\/1\.1 200 OK[^]*answered$/)
  expect(second).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 5[^]*"refusal":"SERVER_STOPPING"/i)
})
