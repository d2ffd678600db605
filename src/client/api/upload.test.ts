import { waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { uploadServer, type AnUpload } from '#support/upload-server.ts'
import { failureText } from './failure-text.ts'
import { RestFailure } from './rest-failure.ts'
import { upload, type UploadRequest } from './upload.ts'

const texts = { failed: 'Failed to upload fruit', network: 'No network for fruit' }

/** Begins an upload, and hands over what the server sees of it. */
async function begin(given: Partial<UploadRequest> = {}) {
  const uploads = uploadServer()
  const file = new File(['apple'], 'fruit.csv')
  const answer = upload({ path: '/fruit', field: 'file', file, getToken: async () => 'token', ...given })
  const there = await waitFor(() => uploads[0] ?? failing())
  return { answer, there }
}

function failing(): AnUpload {
  throw new Error('Nothing was sent')
}

test('a file is sent in its field, with the bearer token and what is asked for', async () => {
  const { answer, there } = await begin({ query: { again: true, order: 'mdy', mark: undefined } })
  expect(there.sent.url.pathname + there.sent.url.search).toBe('/fruit?again=true&order=mdy')
  expect(there.sent.headers).toMatchObject({ authorization: 'Bearer token', accept: 'application/json' })
  expect(there.sent.form.get('file')).toHaveProperty('name', 'fruit.csv')
  there.answer(200, { created: 3 })
  await expect(answer).resolves.toEqual({ created: 3 })
})

test('how much has been sent is told on the way', async () => {
  const onProgress = vi.fn()
  const { answer, there } = await begin({ onProgress })
  there.progress(25, 100)
  there.progress(100, 100)
  expect(onProgress.mock.calls).toEqual([[0.25], [1], [1]])
  there.answer(204, '')
  await expect(answer).resolves.toBeUndefined()
})

test.each([
  [422, { error: 'The file has no rows', refusal: 'IMPORT_EMPTY' }, 'IMPORT_EMPTY', 'The file has no rows'],
  [401, { error: 'You are not logged in' }, 'NOT_SIGNED_IN', 'You are not logged in'],
  [402, { error: 'Please pay' }, 'SUBSCRIPTION_REQUIRED', 'Please pay'],
  [500, { error: 'The import stopped', refusal: 'IMPORT_STOPPED' }, 'IMPORT_STOPPED', 'The import stopped'],
  [500, { error: 'Something went wrong' }, 'FAULT', 'Failed to upload fruit'],
  [502, '<html>', 'FAULT', 'Failed to upload fruit'],
])('an answer of %i with %j is a failure of the kind %s', async (status, body, refusal, text) => {
  const { answer, there } = await begin()
  there.answer(status, body)
  const failure: unknown = await answer.catch((error: unknown) => error)
  expect(failure).toMatchObject({ refusal })
  expect(failureText(failure, texts)).toBe(text)
})

test('what a refusal tells besides its text is kept', async () => {
  const { answer, there } = await begin()
  const body = { error: 'This file has been imported before. Import it again?', question: { parameter: 'again' } }
  there.answer(409, body)
  await expect(answer).rejects.toMatchObject({ response: body })
})

test('where no answer comes, that is told', async () => {
  const { answer, there } = await begin()
  there.break()
  const failure: unknown = await answer.catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(RestFailure)
  expect(failureText(failure, texts)).toBe('No network for fruit')
})

test('an upload can be stopped', async () => {
  const controller = new AbortController()
  const { answer } = await begin({ signal: controller.signal })
  controller.abort()
  await expect(answer).rejects.toHaveProperty('name', 'AbortError')
})
