import { searchReader, text } from '#client/list/search-params.ts'

/** Where the payment service names its session, somebody has just begun a trial. */
export const dashboardSearch = searchReader<{ session_id?: string | undefined }>({ session_id: text(200) })
