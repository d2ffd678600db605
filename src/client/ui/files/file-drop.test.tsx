import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { render } from '#support/render.tsx'
import { FileDrop } from './file-drop.tsx'

const basics = { label: 'Fruit', hint: '.csv, up to 1 MB', accept: '.csv', file: undefined }

test('a file is chosen, also the same one again', async () => {
  const onFile = vi.fn()
  const { user } = render(<FileDrop {...basics} onFile={onFile} />)
  expect(screen.getByText('.csv, up to 1 MB')).toBeVisible()
  const file = new File(['apple'], 'fruit.csv')
  await user.upload(screen.getByLabelText('Fruit'), file)
  await user.upload(screen.getByLabelText('Fruit'), file)
  expect(onFile.mock.calls).toEqual([[file], [file]])
})

test('a file is dropped on it', () => {
  const onFile = vi.fn()
  render(<FileDrop {...basics} onFile={onFile} />)
  const file = new File(['apple'], 'fruit.csv')
  const dataTransfer = { types: ['Files'], files: [file] }
  const zone = screen.getByText('Choose a file, or drop it here')
  fireEvent.dragOver(zone, { dataTransfer })
  fireEvent.drop(zone, { dataTransfer })
  expect(onFile).toHaveBeenCalledExactlyOnceWith(file)
})

test('of several files that are dropped none is taken, which it says', () => {
  const onFile = vi.fn()
  render(<FileDrop {...basics} onFile={onFile} />)
  const zone = screen.getByText('Choose a file, or drop it here')
  const files = ['apple.csv', 'pear.csv'].map((name) => new File(['fruit'], name))
  fireEvent.drop(zone, { dataTransfer: { types: ['Files'], files } })
  expect(screen.getByRole('status')).toHaveTextContent('Drop one file at a time')
  expect(onFile).not.toHaveBeenCalled()
  fireEvent.drop(zone, { dataTransfer: { types: ['Files'], files: files.slice(1) } })
  expect(screen.getByRole('status')).not.toHaveTextContent('Drop one file at a time')
  expect(onFile).toHaveBeenCalledExactlyOnceWith(files[1])
})

test.each([
  [10, '1 KB · Choose another'],
  [700 * 1024, '0.7 MB · Choose another'],
])('the chosen file is named, with its size: %i bytes', (size, text) => {
  render(<FileDrop {...basics} file={new File(['x'.repeat(size)], 'fruit.csv')} onFile={vi.fn()} />)
  expect(screen.getByText('fruit.csv')).toBeVisible()
  expect(screen.getByText(text)).toBeVisible()
})
