// Loaded into a server before its own code: Clerk's API is where CLERK_ELSEWHERE says.
const CLERK = 'https://api.clerk.com'
const { fetch } = globalThis
const elsewhere = process.env['CLERK_ELSEWHERE'] ?? CLERK

globalThis.fetch = (input, options) => {
  const address = input instanceof Request ? input.url : String(input)
  if (!address.startsWith(CLERK)) return fetch(input, options)
  const moved = address.replace(CLERK, elsewhere)
  return fetch(input instanceof Request ? new Request(moved, input) : moved, options)
}
