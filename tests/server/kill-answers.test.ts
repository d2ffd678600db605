import { expect, test } from 'vitest'
import { workerConnection } from '#support/database.ts'
import { urlOf } from '#support/full-server.ts'
import { killAnswers } from '#support/kill-answers.ts'

test('a server that is killed while customers answer has each answer whole or not at all, and loses none', async () => {
  const connection = await workerConnection()
  expect(await killAnswers({ connection, url: urlOf(connection) })).toEqual([])
})
