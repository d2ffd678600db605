import { ClerkAPIResponseError, ClerkRuntimeError } from '@clerk/clerk-react/errors'
import { expect, test } from 'vitest'
import { clerkTexts } from './clerk-texts.ts'

function refusal(
  ...errors: { code: string; message: string; long_message?: string; meta?: { param_name?: string } }[]
) {
  return new ClerkAPIResponseError('refused', { status: 422, data: errors })
}

const FIELDS = ['emailAddress', 'password']

test('what the identity provider says of a field stands at that field', () => {
  const error = refusal(
    {
      code: 'form_identifier_exists',
      message: 'taken',
      long_message: 'That address is taken.',
      meta: { param_name: 'email_address' },
    },
    { code: 'form_password_length_too_short', message: 'too short', meta: { param_name: 'password' } },
  )
  expect(clerkTexts(error, FIELDS)).toEqual({
    fields: { emailAddress: 'That address is taken.', password: 'too short' },
    failure: undefined,
  })
})

test('of two complaints about one field the first is shown', () => {
  const error = refusal(
    { code: 'a', message: 'first', meta: { param_name: 'password' } },
    { code: 'b', message: 'second', meta: { param_name: 'password' } },
  )
  expect(clerkTexts(error, FIELDS).fields).toEqual({ password: 'first' })
})

test('a complaint about no field, or none of this form, stands above the button', () => {
  expect(clerkTexts(refusal({ code: 'a', message: 'Too many requests' }), FIELDS).failure).toBe('Too many requests')
  const foreign = refusal({ code: 'a', message: 'Bad code', meta: { param_name: 'code' } })
  expect(clerkTexts(foreign, FIELDS)).toEqual({ fields: {}, failure: 'Bad code' })
})

test('no answer from the identity provider is a network error', () => {
  const error = new ClerkRuntimeError('cannot reach it', { code: 'network_error' })
  expect(clerkTexts(error, FIELDS).failure).toBe('Network error')
})
