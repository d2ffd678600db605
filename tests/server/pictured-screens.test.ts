import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as pictured from '#support/pictured-screens.ts'

const ROUTES = new URL('../../src/client/routes/', import.meta.url)

/** Shown only for a moment, or to lead elsewhere. */
const PASSED_THROUGH = ['/login', '/signin', '/sign-up/$', '/sso-callback/$', '/checkout/signup/$']

test('pictures are taken of every screen, and each says what it has to show', () => {
  const { answerScreens, ...lists } = pictured
  const screens = [...Object.values(lists).flat(), ...answerScreens('/answer/x')]
  const names = screens.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
  const paths = new Set(screens.map(({ path }) => path))
  const missing = publicRoutes().filter((route) => !PASSED_THROUGH.includes(route) && !paths.has(route))
  expect(missing).toEqual([])
})

/** The routes outside the app's own layout, without what stands for anything. */
function publicRoutes(): string[] {
  return readdirSync(ROUTES).flatMap((file) => {
    const source = readFileSync(new URL(file, ROUTES), 'utf8')
    const [, id] = /createFileRoute\('(\/(?!_)[^']*)'\)/.exec(source) ?? []
    return id === undefined || id === '/$' ? [] : [id.replace(/^\/sign-in\/\$$/, '/sign-in').replace(/(.)\/$/, '$1')]
  })
}
