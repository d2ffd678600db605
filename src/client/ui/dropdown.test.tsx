import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { render } from '#support/render.tsx'
import { Dropdown } from './dropdown.tsx'

function aMenu() {
  return render(
    <>
      <Dropdown
        role="menu"
        label="Things"
        width={200}
        trigger={(props) => (
          <button type="button" {...props}>
            Open
          </button>
        )}
      >
        {(close) => (
          <>
            <button type="button" role="menuitem" onClick={close}>
              First
            </button>
            <button type="button" role="menuitem" onClick={close}>
              Second
            </button>
          </>
        )}
      </Dropdown>
      <button type="button">Elsewhere</button>
    </>,
  )
}

const trigger = () => screen.getByRole('button', { name: 'Open' })
const item = (name: string) => screen.getByRole('menuitem', { name })

test('its button says whether it is open, and the focus goes to the first item', async () => {
  const { user } = aMenu()
  expect(trigger()).toHaveAttribute('aria-expanded', 'false')
  await user.click(trigger())
  expect(trigger()).toHaveAttribute('aria-expanded', 'true')
  expect(screen.getByRole('menu', { name: 'Things' })).toBeVisible()
  expect(item('First')).toHaveFocus()
})

test('arrow keys, Home and End go from item to item', async () => {
  const { user } = aMenu()
  await user.click(trigger())
  await user.keyboard('{ArrowDown}')
  expect(item('Second')).toHaveFocus()
  await user.keyboard('{ArrowDown}')
  expect(item('First')).toHaveFocus()
  await user.keyboard('{End}')
  expect(item('Second')).toHaveFocus()
  await user.keyboard('{Home}')
  expect(item('First')).toHaveFocus()
})

test('Escape closes it and gives the focus back to its button', async () => {
  const { user } = aMenu()
  await user.click(trigger())
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('menu')).toBeNull()
  expect(trigger()).toHaveFocus()
})

test('a click elsewhere closes it', async () => {
  const { user } = aMenu()
  await user.click(trigger())
  await user.click(screen.getByRole('button', { name: 'Elsewhere' }))
  expect(screen.queryByRole('menu')).toBeNull()
})
