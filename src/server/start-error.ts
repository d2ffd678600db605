/** Why the server cannot start, in one line for the person at the console. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
