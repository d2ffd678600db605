import { expect, test } from 'vitest'
import Fastify from 'fastify'
import { useApp } from '#support/app.ts'
import { NOON } from '#support/services.ts'
import { useWorld } from '#support/world.ts'
import { securityTxt } from './security-txt.ts'

const server = useApp(useWorld())

async function read(app: Pick<typeof server.app, 'inject'>) {
  const { statusCode, headers, body } = await app.inject('/.well-known/security.txt')
  expect({ statusCode, type: headers['content-type'] }).toEqual({ statusCode: 200, type: 'text/plain; charset=utf-8' })
  return Object.fromEntries(body.split('\n').map((line) => [line.split(': ')[0], line.split(': ')[1]]))
}

test('says whom to write to about a vulnerability, and is good for half a year from now on', async () => {
  const { Contact, Expires = '', Canonical } = await read(server.app)
  expect(Contact).toBe('mailto:owner@traxx.test')
  expect(Canonical).toBe('http://localhost:3000/.well-known/security.txt')
  expect((Date.parse(Expires) - NOON.getTime()) / 86_400_000).toBe(180)
})

test('names a page where the operator has one', async () => {
  const app = Fastify()
  const contact = 'https://traxx.example/security'
  await app.register(securityTxt, { contact, origin: 'https://traxx.example', now: () => NOON })
  expect(await read(app)).toMatchObject({ Contact: contact })
})
