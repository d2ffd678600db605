import { z } from 'zod'

/** Checks each row. @throws where a statement answers others than the code says, which is a fault of the code */
export function checkRows<Row>(rows: readonly unknown[], row: z.ZodType<Row>): Row[] {
  return rows.map((one) => {
    const checked = row.safeParse(one)
    if (checked.success) return checked.data
    // Not the error itself: that would be taken for one of what somebody has sent.
    throw new Error(`A row is not as expected: ${z.prettifyError(checked.error)}`)
  })
}
