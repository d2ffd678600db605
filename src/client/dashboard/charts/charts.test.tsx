import { act, fireEvent, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { aDashboard } from '#support/records.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { ChartCard } from './chart-card.tsx'
import { CHARTS } from './chart.ts'
import { Charts } from './charts.tsx'

const MONTHS = [
  { month: '2026-06', contracts: 5, revenue: 1000 },
  { month: '2026-07', contracts: 0, revenue: 0 },
  { month: '2026-08', contracts: 6, revenue: 2500.5 },
  { month: '2026-09', contracts: 7, revenue: 300 },
  { month: '2026-10', contracts: 8, revenue: 4000 },
  { month: '2026-11', contracts: 2, revenue: 12_400 },
]
const SHORT_MONTHS = ['Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov']
const dashboard = aDashboard({ months: MONTHS })

async function renderCharts(charts: ReactNode) {
  const shown = renderRouted(charts)
  await screen.findAllByRole('region')
  return shown
}

const card = (title: string) => within(screen.getByRole('region', { name: title }))
const group = async (title: string) => within(await card(title).findByRole('group'))

/** The rows of a chart's table, its headings first. */
function figures(title: string) {
  const rows = card(title).getAllByRole('row')
  return rows.map((row) => [...row.children].map((cell) => cell.textContent))
}

test('four charts have a title each and say what they show', async () => {
  await renderCharts(<Charts dashboard={undefined} />)
  for (const [title, description] of [
    ['Revenue Trend', 'Amounts of active contracts by the month they started, last 6 months'],
    ['Contract Status Distribution', 'All contracts by their status'],
    ['Revenue by Renewal Cycle', 'Amounts of active contracts by how often they renew'],
    ['Contract Growth', 'Contracts by the month they started, in any status, last 6 months'],
  ] as const) {
    expect(card(title).getByRole('heading', { name: title })).toBeVisible()
    expect(card(title).getByText(description)).toBeVisible()
  }
})

test('the figures of every chart are a table for those who cannot see it', async () => {
  await renderCharts(<Charts dashboard={dashboard} />)
  expect(figures('Revenue Trend')).toEqual([
    ['Month', 'Revenue'],
    ['June 2026', '$1,000.00'],
    ['July 2026', '$0.00'],
    ['August 2026', '$2,500.50'],
    ['September 2026', '$300.00'],
    ['October 2026', '$4,000.00'],
    ['November 2026 so far', '$12,400.00'],
  ])
  expect(figures('Contract Status Distribution')).toEqual([
    ['Status', 'Contracts'],
    ['Pending', '1 (8.3%)'],
    ['Active', '8 (66.7%)'],
    ['Expired', '2 (16.7%)'],
    ['Cancelled', '1 (8.3%)'],
  ])
  expect(figures('Revenue by Renewal Cycle')).toEqual([
    ['Renewal cycle', 'Revenue'],
    ['Monthly', '$4,000.00'],
    ['Quarterly', '$6,000.00'],
    ['Yearly', '$10,000.00'],
  ])
  expect(figures('Contract Growth').map(([, value]) => value)).toEqual(['Contracts', '5', '0', '6', '7', '8', '2'])
})

test('what is drawn is named, and its extremes are said', async () => {
  await renderCharts(<Charts dashboard={dashboard} />)
  for (const { title } of CHARTS) expect(await card(title).findByRole('img', { name: title })).toBeVisible()
  const drawn = card('Revenue Trend').getByRole('img')
  expect(drawn).toHaveTextContent('Highest: November 2026 so far, $12,400.00. Lowest: July 2026, $0.00.')
})

test('revenue is drawn as an area, statuses as a pie, cycles as bars and growth as a line', async () => {
  await renderCharts(<Charts dashboard={dashboard} />)
  const drawn = async (title: string) => {
    const svg = await card(title).findByRole('img', { name: title })
    return {
      areas: svg.querySelectorAll('path[style*="url(#"]').length,
      paths: svg.querySelectorAll('path').length,
      dots: svg.querySelectorAll('circle').length,
    }
  }
  expect(await drawn('Revenue Trend')).toEqual({ areas: 1, paths: 2, dots: 6 })
  expect(await drawn('Contract Status Distribution')).toEqual({ areas: 0, paths: 4, dots: 0 })
  expect(await drawn('Revenue by Renewal Cycle')).toEqual({ areas: 0, paths: 3, dots: 0 })
  expect(await drawn('Contract Growth')).toEqual({ areas: 0, paths: 1, dots: 6 })
})

test('revenue is measured from 0 in short amounts, contracts in whole ones', async () => {
  await renderCharts(<Charts dashboard={dashboard} />)
  const wordsOf = async (title: string) =>
    [...(await card(title).findByRole('img')).querySelectorAll('text')].map(({ textContent }) => textContent)
  expect(await wordsOf('Revenue Trend')).toEqual(['$0', '$5K', '$10K', '$15K', ...SHORT_MONTHS])
  expect((await wordsOf('Revenue by Renewal Cycle')).slice(0, 6)).toEqual([
    '$0',
    '$2.5K',
    '$5K',
    '$7.5K',
    '$10K',
    '$12.5K',
  ])
  expect(await wordsOf('Contract Growth')).toEqual(['0', '2', '4', '6', '8', '10', ...SHORT_MONTHS])
})

test('active is green, pending amber, expired red and cancelled grey', async () => {
  await renderCharts(<Charts dashboard={dashboard} />)
  const drawn = await card('Contract Status Distribution').findByRole('img')
  expect([...drawn.querySelectorAll('g')].map((slice) => slice.getAttribute('fill'))).toEqual([
    'var(--traxx-chart-pending)',
    'var(--traxx-chart-active)',
    'var(--traxx-chart-expired)',
    'var(--traxx-chart-cancelled)',
  ])
})

test('each point says its value on hover', async () => {
  const { user } = await renderCharts(<Charts dashboard={dashboard} />)
  const points = await group('Contract Growth')
  await user.hover(points.getByRole('link', { name: 'August 2026: 6' }))
  expect(screen.getByRole('tooltip')).toHaveTextContent('August 20266')
  await user.unhover(points.getByRole('link', { name: 'August 2026: 6' }))
  expect(screen.queryByRole('tooltip')).not.toBeInTheDocument()
})

test('the keyboard goes from point to point with the arrows, and Escape puts the tooltip away', async () => {
  const { user } = await renderCharts(<Charts dashboard={dashboard} />)
  const points = await group('Revenue by Renewal Cycle')
  points.getByRole('link', { name: 'Monthly: $4,000.00' }).focus()
  expect(await screen.findByRole('tooltip')).toHaveTextContent('Monthly$4,000.00')
  await user.keyboard('{ArrowRight}')
  expect(screen.getByRole('tooltip')).toHaveTextContent('Quarterly$6,000.00')
  await user.keyboard('{End}')
  expect(points.getByRole('link', { name: 'Yearly: $10,000.00' })).toHaveFocus()
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('tooltip')).not.toBeInTheDocument()
})

test('Tab stops once at each chart', async () => {
  await renderCharts(<Charts dashboard={dashboard} />)
  for (const { title } of CHARTS) {
    const points = (await group(title)).getAllByRole('link')
    expect(points.filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1)
  }
})

test("a finger's first touch shows the value and stays, the next one follows the link", async () => {
  await renderCharts(<Charts dashboard={dashboard} />)
  const point = (await group('Contract Growth')).getByRole('link', { name: 'August 2026: 6' })
  fireEvent.pointerOver(point, { pointerType: 'touch' })
  expect(fireEvent.click(point)).toBe(false)
  fireEvent.pointerOut(point, { pointerType: 'touch' })
  expect(screen.getByRole('tooltip')).toHaveTextContent('August 20266Tap again to see the contracts')
  fireEvent.pointerOver(point, { pointerType: 'touch' })
  const followed = vi.fn<(event: Event) => void>((event) => event.preventDefault())
  point.parentElement?.addEventListener('click', followed)
  fireEvent.click(point)
  expect(followed).toHaveBeenCalledOnce()
})

test('the second point that a finger touches says as well how its link is followed', async () => {
  const { user } = await renderCharts(<Charts dashboard={dashboard} />)
  const points = await group('Contract Growth')
  for (const name of ['August 2026: 6', 'October 2026: 8', 'August 2026: 6']) {
    const point = points.getByRole('link', { name })
    // As a browser has it: the touch first, then the focus, then the click.
    fireEvent.pointerOver(point, { pointerType: 'touch' })
    fireEvent.pointerOut(point, { pointerType: 'touch' })
    act(() => point.focus())
    expect(fireEvent.click(point)).toBe(false)
    expect(screen.getByRole('tooltip')).toHaveTextContent('Tap again to see the contracts')
  }
  await user.keyboard('{ArrowRight}')
  expect(screen.getByRole('tooltip')).toHaveTextContent('September 2026')
  expect(screen.getByRole('tooltip')).not.toHaveTextContent('Tap again')
  await user.keyboard('{ArrowLeft}')
  expect(screen.getByRole('tooltip')).not.toHaveTextContent('Tap again')
})

test('where there is nothing to show, the charts say so in words', async () => {
  const nothing = { pending: 0, active: 0, expired: 0, cancelled: 0 }
  const months = MONTHS.map(({ month }) => ({ month, contracts: 0, revenue: 0 }))
  const revenueByCycle = { monthly: 0, quarterly: 0, yearly: 0 }
  await renderCharts(<Charts dashboard={aDashboard({ contractsByStatus: nothing, months, revenueByCycle })} />)
  for (const [title, text] of [
    ['Revenue Trend', 'No revenue in the last 6 months'],
    ['Contract Status Distribution', 'No contracts yet'],
    ['Revenue by Renewal Cycle', 'No revenue yet'],
    ['Contract Growth', 'No contracts started in the last 6 months'],
  ] as const) {
    expect(card(title).getByText(text)).toBeVisible()
    expect(card(title).queryByRole('img')).not.toBeInTheDocument()
    expect(card(title).queryByRole('table')).not.toBeInTheDocument()
  }
})

test('where nothing can be drawn, the table stands in its place, and its names lead to what they count', async () => {
  const [chart] = CHARTS
  if (!chart) throw new Error('there are four')
  await renderCharts(<ChartCard chart={chart} points={chart.pointsOf(dashboard)} Plot={undefined} isError />)
  expect(screen.getByRole('table', { name: 'Revenue Trend' }).parentElement).toBe(
    screen.getByRole('region', { name: 'Revenue Trend' }).lastElementChild,
  )
  expect(screen.getByRole('link', { name: 'June 2026' })).toHaveAttribute(
    'href',
    '/contracts?status=active&startedIn=2026-06',
  )
})

/** Where the points of a chart lead, as what follows the path. */
async function leads(title: string) {
  const links = (await group(title)).getAllByRole('link')
  return links.map((link) => link.getAttribute('href')?.replace(/^\/contracts/, ''))
}

test('every month, status and cycle of a chart leads to the contracts that it counts', async () => {
  const { user } = await renderCharts(<Charts dashboard={dashboard} />)
  const months = MONTHS.map(({ month }) => month)
  expect(await leads('Revenue Trend')).toEqual(months.map((month) => `?status=active&startedIn=${month}`))
  expect(await leads('Contract Growth')).toEqual(months.map((month) => `?startedIn=${month}`))
  expect(await leads('Revenue by Renewal Cycle')).toEqual(
    ['monthly', 'quarterly', 'yearly'].map((cycle) => `?status=active&cycle=${cycle}`),
  )
  expect(await leads('Contract Status Distribution')).toEqual(
    ['pending', 'active', 'expired', 'cancelled'].map((status) => `?status=${status}`),
  )
  const legend = await group('Contract Status Distribution')
  legend.getByRole('link', { name: /Pending/ }).focus()
  await user.keyboard('{ArrowDown}')
  expect(legend.getByRole('link', { name: /Active/ })).toHaveFocus()
})
