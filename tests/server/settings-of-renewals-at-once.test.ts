import { describe, expect, test } from 'vitest'
import { SaveRenewalSettings } from '#shared/schemas/renewals.ts'
import { getContract } from '#server/contracts/contracts.service.ts'
import { getRenewalSettings, saveRenewalSettings } from '#server/contracts/renewal-settings.service.ts'
import { renewByHand } from '#server/renewals/renew-by-hand.service.ts'
import { renewContracts } from '#server/renewals/renew-contracts.ts'
import { holdRows, watchQueue } from '#support/held-rows.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, TODAY, useWorld } from '#support/world.ts'

const world = useWorld()

async function anAccountWithSettings(settings: object) {
  const request = await anAccount(world)
  const save = (changed: object) =>
    asSubscriber(request, (ctx) =>
      saveRenewalSettings(
        ctx,
        SaveRenewalSettings.parse({ endOverdueAfterDays: null, endReasons: ['Price'], ...changed }),
      ),
    )
  await save(settings)
  const { id: customerId } = await aCustomer(request, { email: 'orders@harbor.test' })
  const { signal } = new AbortController()
  return {
    request,
    customerId,
    save,
    run: () => renewContracts({ ...request, db: request.db.as('job:renew-contracts'), signal }),
    ledger: async () => (await ledgerOf(request)).map(({ kind, state, reason }) => [kind, state, reason]),
  }
}

describe('settings that are saved while the job renews', () => {
  test('apply to overdue contracts at its next run, also on the same day', async () => {
    const { request, customerId, save, run } = await anAccountWithSettings({})
    await aContract(request, { customerId, renews: 'automatic', renewalDate: TODAY })
    const { id } = await aContract(request, { customerId, renews: 'by_agreement', renewalDate: '2026-02-01' })
    await using lock = await holdRows(world, 'contracts')
    const running = run()
    await lock.waitedFor(1)
    const saving = save({ endOverdueAfterDays: 10 })
    await Promise.race([saving, lock.waitedFor(2)])
    await lock.release()
    await Promise.all([running, saving])
    await run()
    expect(await getContract(requireReader(request), { id })).toMatchObject({ status: 'cancelled' })
  })

  test('withdraw its confirmations if they turn them off', async () => {
    const { request, customerId, save, run, ledger } = await anAccountWithSettings({ confirmRenewals: true })
    await aContract(request, { customerId, renews: 'automatic', renewalDate: TODAY })
    await using lock = await holdRows(world, 'contracts')
    const running = run()
    await lock.waitedFor(1)
    const saving = save({ confirmRenewals: false })
    await Promise.race([saving, lock.waitedFor(2)])
    await lock.release()
    await Promise.all([running, saving])
    expect(await ledger()).toEqual([['confirmation', 'skipped', 'off']])
  })
})

test('settings that turn confirmations off withdraw that of a renewal that is not committed yet', async () => {
  const { request, customerId, save, ledger } = await anAccountWithSettings({ confirmRenewals: true })
  const { id } = await aContract(request, { customerId })
  await using queue = await watchQueue(world)
  const { saving } = await asSubscriber(request, async (ctx) => {
    await renewByHand(ctx, { id })
    const turnedOff = save({ confirmRenewals: false })
    await Promise.race([turnedOff, queue.waitedFor(1)])
    return { saving: turnedOff }
  })
  await saving
  expect(await ledger()).toEqual([['confirmation', 'skipped', 'off']])
})

test.each([
  ['stay off', true, false],
  ['stay on', false, true],
])(
  'confirmations that are turned on or off at once %s when settings are saved without `confirmRenewals`',
  async (_name, was, now) => {
    const { request, save } = await anAccountWithSettings({ confirmRenewals: was })
    await using lock = await holdRows(world, 'renewal_settings')
    await lock.holder.query('update renewal_settings set confirm_renewals = $1', [now])
    const saving = save({ endOverdueAfterDays: 30 })
    await lock.waitedFor(1)
    await lock.release()
    expect(await saving).toMatchObject({ confirmRenewals: now })
    expect(await getRenewalSettings(requireReader(request))).toMatchObject({
      confirmRenewals: now,
      endOverdueAfterDays: 30,
    })
  },
)
