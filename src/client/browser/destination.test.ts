import { beforeEach, expect, test } from 'vitest'
import {
  destinationAfterPayment,
  destinationOrHome,
  forgetDestination,
  rememberDestination,
  rememberedDestination,
} from './destination.ts'

beforeEach(() => sessionStorage.clear())

test('an address of the app is remembered until it is forgotten', () => {
  expect(rememberedDestination()).toBeUndefined()
  rememberDestination('/contracts?status=active')
  expect(rememberedDestination()).toBe('/contracts?status=active')
  forgetDestination()
  expect(rememberedDestination()).toBeUndefined()
})

test.each(['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)'])(
  '%s is never gone to, however it was stored',
  (href) => {
    rememberDestination(href)
    expect(rememberedDestination()).toBeUndefined()
    expect(destinationOrHome()).toBe('/dashboard')
    expect(destinationAfterPayment()).toBe('/dashboard?stripe_success=true')
  },
)

test.each([
  ['/contracts', '/contracts?stripe_success=true'],
  ['/contracts?status=active', '/contracts?status=active&stripe_success=true'],
  ['/contracts?search=a%26b#row-3', '/contracts?search=a%26b&stripe_success=true#row-3'],
])('after payment %s is %s', (href, paid) => {
  rememberDestination(href)
  expect(destinationOrHome()).toBe(href)
  expect(destinationAfterPayment()).toBe(paid)
  expect(destinationAfterPayment('cs_1')).toBe(paid)
})

test('the dashboard is told of the session with which a trial began', () => {
  expect(destinationAfterPayment('cs_1')).toBe('/dashboard?stripe_success=true&session_id=cs_1')
})
