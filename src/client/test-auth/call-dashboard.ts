import { tokenFrom, type GetToken } from '#client/api/session-token.ts'
import { jsonOf, RestFailure } from '#client/api/rest-failure.ts'

export interface DashboardCall {
  /** Undefined where no answer came, or nobody asked. */
  status: number | undefined
  /** What the answer counts, by the names that it has there; the length of a list. */
  figures: [name: string, value: number][]
  error: string | undefined
}

/** GET /dashboard with the session's token, as a program outside would call it; whatever comes of it is an outcome. */
export async function callDashboard(getToken: GetToken): Promise<DashboardCall> {
  try {
    const headers = { authorization: `Bearer ${await tokenFrom(getToken)}`, accept: 'application/json' }
    const answer = await fetch('/dashboard', { headers })
    return outcomeOf(answer, await answer.text())
  } catch (error) {
    const { message } = error instanceof RestFailure ? error : RestFailure.noResponse()
    return { status: undefined, figures: [], error: message }
  }
}

function outcomeOf({ ok, status }: Response, body: string): DashboardCall {
  if (!ok) return { status, figures: [], error: RestFailure.fromResponse(status, body).message }
  return { status, figures: figuresOf(jsonOf(body)), error: undefined }
}

function figuresOf(answer: unknown): DashboardCall['figures'] {
  return Object.entries(Object(answer)).flatMap(([name, value]): DashboardCall['figures'] => {
    if (Array.isArray(value)) return [[name, value.length]]
    return typeof value === 'number' ? [[name, value]] : []
  })
}
